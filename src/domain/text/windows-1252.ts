/** The 32 signs from 0x80 on, in which Windows-1252 and Latin-1 differ; five of them are not defined. */
export const windows1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';
