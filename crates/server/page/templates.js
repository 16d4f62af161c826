// Short games to begin with, one for each language.

/** @type {{title: string, language: string, text: string}[]} */
export const TEMPLATES = [];
