/** What takes time to make is made when it is first asked for: to load payrun is most of what a short command takes. */
export function once<Made extends object>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
