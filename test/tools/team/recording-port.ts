import type { Reply, ReplyValue } from "../../../src/protocol/reply.ts";
import type { TeamStatus } from "../../../src/protocol/status.ts";
import type { TaskStatus } from "../../../src/protocol/task.ts";
import type { AcknowledgeResult, MailPage } from "../../../src/protocol/mail.ts";
import type {
  CallContext,
  OwnMailQuery,
  StatusAnswer,
  StatusQuery,
  TeamCommand,
  TeamPort,
} from "../../../src/tools/port.ts";

const values: Record<TeamCommand["type"], ReplyValue> = {
  "team.create": { type: "created", team: "T", revision: 1, started: ["Ann"], blocked: ["Bob"] },
  "team.replan": {
    type: "replanned",
    revision: 2,
    cancelled: [],
    retried: ["Ann"],
    added: [],
    stillBlocked: ["Bob"],
    stranded: [],
  },
  "team.invite": { type: "invited", name: "Archivist", agent: "Archivist", revision: 3, started: true },
  "team.dissolve": { type: "dissolved", outcome: "completed", cancelled: [] },
  "message.send": { type: "sent", accepted: true, to: [{ name: "Bob", status: "blocked" }] },
  "work.complete": { type: "accepted" },
  "question.ask": { type: "question" },
  "permission.answer": { type: "accepted" },
  "task.add": { type: "task_added", task: 3, status: "pending" },
  "task.claim": { type: "task_claimed", task: 3 },
  "task.update": { type: "task_updated", task: 3, status: "completed", unblocked: [4] },
  "plan.submit": { type: "plan", approved: false },
  "shutdown.reply": { type: "accepted" },
};

export const emptyStatus: TeamStatus = {
  team: null,
  state: "none",
  revision: 0,
  version: 0,
  changed: false,
  members: [],
  pendingMessages: 0,
  permissionRequests: [],
};

/** A session that says yes to everything, or what it is told to say, and keeps what it was asked. */
export class RecordingPort implements TeamPort {
  readonly caller: string;
  readonly role: "lead" | "member";
  readonly commands: TeamCommand[] = [];
  readonly queries: StatusQuery[] = [];
  readonly calls: CallContext[] = [];
  readonly existing = new Set<string>();
  readonly mailQueries: OwnMailQuery[] = [];
  readonly acknowledged: string[] = [];
  page: MailPage = { mail: [], total: 0, next: null };
  isAsked = false;
  reply: Reply | null = null;
  statusAnswer: StatusAnswer = { status: emptyStatus };
  answer = "";
  board: readonly TaskStatus[] | null = null;

  constructor(role: "lead" | "member" = "lead") {
    this.role = role;
    this.caller = role === "lead" ? "Lead" : "Ann";
  }

  async command(command: TeamCommand, call: CallContext): Promise<Reply> {
    this.commands.push(command);
    this.calls.push(call);
    return this.reply ?? { ok: values[command.type] };
  }

  async status(query: StatusQuery, call: CallContext): Promise<StatusAnswer> {
    this.queries.push(query);
    this.calls.push(call);
    return this.statusAnswer;
  }

  tasks(): readonly TaskStatus[] | null {
    return this.board;
  }

  async pathExists(path: string): Promise<boolean> {
    return this.existing.has(path);
  }

  mail(query: OwnMailQuery): MailPage {
    this.mailQueries.push(query);
    return this.page;
  }

  async acknowledge(handles: readonly string[]): Promise<AcknowledgeResult> {
    this.acknowledged.push(...handles);
    return { acknowledged: handles, already: [] };
  }

  isAskedToShutDown(): boolean {
    return this.isAsked;
  }

  answerOf(): string {
    return this.answer;
  }
}
