/** The team of all these examples: the Reviewer reads what the Writer has delivered. Both can be tried again. */
export const members = [{ name: "Writer" }, { name: "Reviewer", dependsOn: ["Writer"] }] as const;
