/** Under what a session's lease and checkpoint are stored. Any namespace and any name keep apart. */
export const sessionKeys = (
  namespace: string,
  session: string,
): { readonly lease: string; readonly checkpoint: string } => ({
  lease: `${namespace}.session.${session}`,
  checkpoint: `session:${JSON.stringify([namespace, session])}`,
});
