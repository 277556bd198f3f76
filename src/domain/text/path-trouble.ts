/** Why a file could not be made in a folder, in plain words and without the name of any file that only we know. */
export function pathTrouble(error: unknown, folder: string): string {
  const { code, message } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'EACCES':
    case 'EPERM':
      return `the folder ${folder} cannot be written`;
    case 'ENOENT':
      return `the folder ${folder} does not exist`;
    case 'ENOTDIR':
      return `${folder} is not a folder`;
    case 'EROFS':
      return `the disk of the folder ${folder} can only be read`;
    case 'ENOSPC':
    case 'EDQUOT':
      return `there is no room left on the disk of the folder ${folder}`;
    case 'ENAMETOOLONG':
      return 'the name is too long';
    default:
      return message;
  }
}

/** Why a file could not be read, in half a sentence that names it. */
export function readTrouble(error: unknown, name: string): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return `there is no file ${name}`;
    case 'EISDIR':
      return `${name} is a folder, not a file`;
    case 'EACCES':
    case 'EPERM':
      return `${name} may not be read by this user`;
    default:
      return `${name} could not be read${typeof code === 'string' ? ` (${code})` : ''}`;
  }
}
