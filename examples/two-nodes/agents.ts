// The agent types of this example: the node that owns the session declares them, the workers carry them out.
import { defineAgent } from "teamchart";

export const agents = {
  counter: defineAgent({
    runsOn: "workers",
    description: "Counts the words of its task.",
    run: async ({ name, prompt, send }) => {
      const count = prompt.split(/\s+/).filter(Boolean).length;
      await send("Reporter", `${name} has counted in process ${process.pid}`);
      return { summary: `${count} words` };
    },
  }),
  // Without `runsOn` it runs where the session is open.
  reporter: defineAgent({
    run: async ({ upstream, mail }) => {
      const told = await mail.take();
      const processes = new Set(told.map(({ content }) => content.split(" ").at(-1)));
      return { summary: `${upstream.map(({ summary }) => summary).join(", ")}; by ${processes.size} processes` };
    },
  }),
};
