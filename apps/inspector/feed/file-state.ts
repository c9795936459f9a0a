/** How the opening of a file goes. */
export type FileState = { readonly share: number } | { readonly problem: string } | null;
