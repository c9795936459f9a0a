import type { Project } from "../project.ts";
import type { Remark, Rule } from "../rule.ts";
import { canFail } from "./assertions.ts";
import { testCalls } from "./test-calls.ts";

const only: Rule = {
  name: "focused-test",
  check: (module) =>
    testCalls(module)
      .filter(({ isOnly }) => isOnly)
      .map(({ node }): Remark => {
        const message = "While this is here, all other tests of the file are left out, and nobody sees it.";
        return { at: node, severity: "high", message };
      }),
};

const skipped: Rule = {
  name: "skipped-test",
  check: (module) =>
    testCalls(module)
      .filter(({ isSkipped }) => isSkipped)
      .map(({ node, isGroup }): Remark => {
        const message = `${isGroup ? "These tests do" : "This test does"} not run. Mend it, or delete it.`;
        return { at: node, severity: "low", message };
      }),
};

/** What a test says that passes when nothing throws, or when it compiles. */
const MUST_NOT_THROW =
  /(not|n't|never|without|no) (an? |any )?(throw|crash|fail|reject|hang|error|panic|leak|warn|break|blow|complain)|\b(accepts?|allows?|supports?|types?|typing|compiles?|works)\b/i;

const withoutAssertion = (project: Project): Rule => ({
  name: "test-without-assertion",
  check: (module) =>
    testCalls(module).flatMap(({ node, isGroup, isSkipped, body }): Remark[] => {
      const title = node.arguments[0]?.type === "Literal" ? String(node.arguments[0].value) : "";
      if (isGroup || isSkipped || body === null || MUST_NOT_THROW.test(title) || canFail(body, module, project))
        return [];
      const isEmpty = body.body?.type === "BlockStatement" && body.body.body.length === 0;
      const message = isEmpty
        ? "This test is empty, and counts as passed."
        : "This test asserts nothing: it passes as long as nothing throws.";
      return [{ at: node, severity: "medium", message }];
    }),
});

/** What can be wrong with a test by itself. */
export const testFileRules = (project: Project): readonly Rule[] => [only, skipped, withoutAssertion(project)];
