import type { MemberRecord } from "../../machines/index.ts";

/** Some providers refuse a message without text. */
const noPromptText =
  "Your task has no text of its own. Do what your role, your description and your upstreams' results ask for.";
const guestText =
  "You were invited to help this team and have no task of your own. Call complete now and say in summary, in a sentence or two, what the others can ask you. Then answer what they write to you by team_send_message.";

/** What a member is told to do. */
export function taskOf({ prompt, invited }: MemberRecord): string {
  if (prompt.trim() !== "") return prompt;
  return invited === null ? noPromptText : guestText;
}
