/** Whether a host, as a URL or a flag names it, is this machine. URL writes every form of an IPv4 address as four numbers. */
export function isLoopback(host: string): boolean {
  return ['localhost', '::1', '[::1]'].includes(host) || /^127\.\d+\.\d+\.\d+$/.test(host);
}
