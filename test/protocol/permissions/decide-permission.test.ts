import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decidePermission, type PermissionVerdict } from "../../../src/protocol/permissions/decide-permission.ts";
import type { PermissionCall } from "../../../src/protocol/permissions/permission-call.ts";
import { leaveExplore, narrowPermissions, sessionLayer } from "../../../src/protocol/permissions/permission-layers.ts";
import { AgentPermissions, PermissionPolicy } from "../../../src/protocol/permissions/permission-policy.ts";

const tool = (name: string, more: Partial<PermissionCall> = {}): PermissionCall => ({
  kind: "tool",
  tool: name,
  effect: "other",
  input: {},
  ...more,
});
const read = (path = "src/a.ts") => tool("read_file", { effect: "read", path });
const write = (path = "src/a.ts") => tool("write_file", { effect: "edit", path });
const run = (...words: string[]) => tool("execute", { command: { words } });
const reach = (host: string) => tool("fetch", { kind: "network", host });

const verdict = (policy: PermissionPolicy | undefined, call: PermissionCall): PermissionVerdict =>
  decidePermission([sessionLayer(policy)], call).verdict;

describe("what a mode says of calls that no rule speaks of", () => {
  const calls = [
    read(),
    write(),
    run("npm", "test"),
    tool("lookup", { effect: "read" }),
    tool("deploy"),
    reach("a.org"),
  ];
  test.each([
    [undefined, ["allow", "allow", "allow", "allow", "allow", "allow"]],
    ["default", ["allow", "ask", "ask", "allow", "ask", "ask"]],
    ["accept_edits", ["allow", "allow", "ask", "allow", "ask", "ask"]],
    ["explore", ["allow", "deny", "deny", "allow", "deny", "ask"]],
    ["bypass", ["allow", "allow", "allow", "allow", "allow", "allow"]],
    ["deny", ["allow", "deny", "deny", "allow", "deny", "deny"]],
  ] as const)("%s", (mode, verdicts) => {
    const policy = mode === undefined ? undefined : { mode };
    expect(calls.map((call) => verdict(policy, call))).toEqual(verdicts);
  });

  test("within the directories only", () => {
    const policy = { mode: "accept_edits", directories: ["src", "docs/api"] } as const;
    const paths = ["src", "src/a.ts", "docs/api/x.md", "docs/x.md", ".", "srcs/a.ts"];
    expect(paths.map((path) => verdict(policy, write(path)))).toEqual(["allow", "allow", "allow", "ask", "ask", "ask"]);
    expect(paths.map((path) => verdict(policy, read(path)))).toEqual(["allow", "allow", "allow", "ask", "ask", "ask"]);
  });
});

test("deny wins over ask, ask over allow, and allow over the mode", () => {
  const rules = { allow: ["*"], ask: ["write_file", "execute"], deny: ["execute(rm *)"] };
  expect([run("rm", "x"), run("ls"), write(), tool("deploy")].map((call) => verdict({ rules }, call))).toEqual([
    "deny",
    "ask",
    "ask",
    "allow",
  ]);
});

test("bypass asks for nothing, and denies what is denied; explore is read-only whatever is allowed", () => {
  const rules = { allow: ["*"], ask: ["*"], deny: ["write_file(secrets/**)"] };
  expect([write("secrets/a"), write(), tool("x")].map((call) => verdict({ mode: "bypass", rules }, call))).toEqual([
    "deny",
    "allow",
    "allow",
  ]);
  expect(verdict({ mode: "explore", rules: { allow: ["*"] } }, write())).toBe("deny");
});

test("the reason names the rule or the mode, and whose it is", () => {
  const why = (policy: PermissionPolicy, call: PermissionCall) => decidePermission([sessionLayer(policy)], call).why;
  expect(why({ rules: { deny: ["deploy"] } }, tool("deploy"))).toBe('the rule "deploy" of the session denies it');
  expect(why({ mode: "deny" }, tool("deploy"))).toBe(
    "the mode deny of the session does not allow it, and nobody is to be asked",
  );
});

const under = (lead: PermissionPolicy, policy: AgentPermissions, call: PermissionCall): PermissionVerdict =>
  decidePermission(narrowPermissions([sessionLayer(lead)], { of: "the agent type", policy }), call).verdict;

describe("R48: what an agent type takes along from its lead", () => {
  test("the mode, unless it overrides it; an override never widens", () => {
    expect(under({ mode: "accept_edits" }, {}, write())).toBe("allow");
    expect(under({ mode: "accept_edits" }, { mode: "explore", overrideLeadMode: true }, write())).toBe("deny");
    expect(under({ mode: "default" }, { mode: "bypass", overrideLeadMode: true }, write())).toBe("ask");
    expect(under({ mode: "deny" }, { mode: "bypass", overrideLeadMode: true }, write())).toBe("deny");
  });

  test("the rules, unless it says no; denials hold in any case", () => {
    const lead = { rules: { allow: ["write_file", "deploy"], deny: ["execute"] } };
    expect(under(lead, {}, write())).toBe("allow");
    expect(under(lead, { extendLeadRules: false }, write())).toBe("ask");
    expect(under(lead, { extendLeadRules: false, rules: { allow: ["execute", "write_file"] } }, write())).toBe("allow");
    expect(under(lead, { extendLeadRules: false, rules: { allow: ["execute"] } }, run("ls"))).toBe("deny");
    expect(under(lead, { rules: { allow: ["pay"] } }, tool("pay"))).toBe("ask");
    expect(under(lead, { rules: { ask: ["deploy"] } }, tool("deploy"))).toBe("ask");
  });

  test("the directories, unless it says no; where the lead names none its own hold", () => {
    const lead = { mode: "accept_edits", directories: ["src"] } as const;
    expect(under(lead, { directories: ["docs"] }, write("src/a"))).toBe("allow");
    expect(under(lead, { directories: ["docs"], extendLeadDirectories: false }, write("src/a"))).toBe("ask");
    expect(under(lead, { directories: ["docs"] }, write("docs/a"))).toBe("ask");
    expect(under({ mode: "accept_edits" }, { directories: ["docs"] }, write("src/a"))).toBe("ask");
    expect(under({ mode: "accept_edits" }, { directories: ["docs"] }, write("docs/a"))).toBe("allow");
  });

  test("a policy bounds also where nobody above gave one: what it does not allow asks, as under any policy", () => {
    const nobodys = sessionLayer(undefined);
    const alone = (policy: AgentPermissions, call: PermissionCall): PermissionVerdict =>
      decidePermission(narrowPermissions([nobodys], { of: "the agent type", policy }), call).verdict;
    expect(decidePermission([nobodys], write()).verdict).toBe("allow");
    expect(alone({ directories: ["docs"] }, write("src/a"))).toBe("ask");
    expect(alone({ rules: { allow: ["write_file(docs/**)"] } }, write("docs/a"))).toBe("allow");
    expect(alone({ rules: { allow: ["write_file(docs/**)"] } }, write("src/a"))).toBe("ask");
    expect(alone({}, tool("deploy"))).toBe("ask");
    const asking = narrowPermissions([nobodys], { of: "the agent type", policy: undefined, ask: ["deploy"] });
    expect([tool("deploy"), tool("pay")].map((call) => decidePermission(asking, call).verdict)).toEqual([
      "ask",
      "allow",
    ]);
  });

  test("a mode without the flag, and the flag without a mode, are refused: neither would do what it says", () => {
    expect(AgentPermissions.safeParse({ mode: "explore" }).success).toBe(false);
    expect(AgentPermissions.safeParse({ overrideLeadMode: true }).success).toBe(false);
    expect(AgentPermissions.safeParse({ mode: "explore", overrideLeadMode: true }).success).toBe(true);
  });
});

const strictness: Readonly<Record<PermissionVerdict, number>> = { allow: 0, ask: 1, deny: 2 };
const rule = fc.constantFrom(
  "*",
  "write_file",
  "read_file",
  "execute",
  "deploy",
  "fetch",
  "write_file(src/**)",
  "read_file(src/secrets)",
  "write_file(**/*.md)",
  "execute(npm test *)",
  "execute(rm *)",
  "deploy(env=staging)",
  "deploy(env=*)",
  "fetch(host:api.example.com)",
  "*(host:*.example.com)",
  "w*(docs)",
);
const rules = fc.record(
  { allow: fc.array(rule), deny: fc.array(rule, { maxLength: 2 }), ask: fc.array(rule, { maxLength: 3 }) },
  { requiredKeys: [] },
);
const mode = fc.constantFrom("default", "accept_edits", "explore", "bypass", "deny");
const directories = fc.array(fc.constantFrom(".", "src", "docs", "src/secrets"), { maxLength: 2 });
const policy = fc.record({ mode, directories, rules }, { requiredKeys: [] });
const agent = fc
  .record(
    { mode, directories, rules, extendLeadRules: fc.boolean(), extendLeadDirectories: fc.boolean() },
    { requiredKeys: [] },
  )
  .map((each) => (each.mode === undefined ? each : { ...each, overrideLeadMode: true }));
const path = fc.constantFrom(".", "src", "src/a.ts", "src/secrets/key", "docs/a.md", "SRC/secrets");
const call = fc.oneof(
  path.map(read),
  path.map(write),
  fc.constantFrom(["npm", "test"], ["npm", "test", "-u"], ["rm", "-rf"], ["/bin/rm"]).map((words) => run(...words)),
  fc.constantFrom({ env: "staging" }, { env: "prod" }, { env: ["prod"] }, {}).map((input) => tool("deploy", { input })),
  fc.constantFrom("api.example.com", "example.com", "evil.org").map(reach),
  fc.constantFrom("lookup", "x").map((name) => tool(name, { effect: "read" })),
);

test("S12: whatever the lead may not do without asking, a member may not; what it is denied, a member is denied", () => {
  fc.assert(
    fc.property(
      fc.option(policy, { nil: undefined }),
      fc.option(policy, { nil: undefined }),
      agent,
      fc.array(fc.constantFrom("deploy", "execute")),
      call,
      (session, own, member, ask, given) => {
        if (session !== undefined) expect(PermissionPolicy.safeParse(session).success).toBe(true);
        expect(AgentPermissions.safeParse(member).success).toBe(true);
        const lead = narrowPermissions([sessionLayer(session)], {
          of: "the Lead",
          policy: own === undefined ? undefined : { ...own, overrideLeadMode: own.mode !== undefined },
        });
        const layers = narrowPermissions(lead, { of: "the agent type", policy: member, ask });
        for (const rights of [layers, leaveExplore(layers)]) {
          const [above, below] = [decidePermission(lead, given), decidePermission(rights, given)];
          expect(strictness[below.verdict]).toBeGreaterThanOrEqual(strictness[above.verdict]);
        }
        const inSession = decidePermission([sessionLayer(session)], given);
        expect(strictness[decidePermission(lead, given).verdict]).toBeGreaterThanOrEqual(strictness[inSession.verdict]);
      },
    ),
    { numRuns: 3_000 },
  );
});

test("the same rights without the lead's are wider for some policies, so that the property says something", () => {
  const lead = [sessionLayer({ mode: "default" })];
  const both = narrowPermissions(lead, { of: "x", policy: { mode: "bypass", overrideLeadMode: true } });
  expect(decidePermission(both.slice(1), write()).verdict).toBe("allow");
  expect(decidePermission(both, write()).verdict).toBe("ask");
});
