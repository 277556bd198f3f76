/** Stands where a reply of the service held one of our secrets. What holds it can be shown, and identifies nothing. */
export const concealedMark = '[concealed]';
