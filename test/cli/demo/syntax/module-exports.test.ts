import { expect, test } from "vitest";
import { moduleExports } from "../../../../src/cli/demo/syntax/module-exports.ts";
import { moduleOf } from "../../../support/project-of.ts";

const shortly = (text: string, path?: string) =>
  moduleExports(moduleOf(text, path)).map(({ name, kind, source }) =>
    source === null ? `${name}: ${kind}` : `${name} = ${source.name} of ${source.from}`,
  );

test.each([
  [
    "export function a() {} export class B {} export const c = () => 1;",
    ["a: behaviour", "B: behaviour", "c: behaviour"],
  ],
  ["export const a = 1, b = 'x'; export enum E { A }", ["a: data", "b: data", "E: data"]],
  ["export const { a, b } = f();", ["a: unknown", "b: unknown"]],
  ["const a = { run() {} }; export { a as b };", ["b: behaviour"]],
  ["export const a = create();", ["a: unknown"]],
  ["function f() {} export default f;", ["default: behaviour"]],
  ["export type A = 1; export interface B {} type C = 2; export { type C };", []],
  [
    "export { a, type B } from './x.ts'; export * from './y.ts'; export * as z from './z.ts';",
    ["a = a of ./x.ts", "* = * of ./y.ts", "z = * of ./z.ts"],
  ],
  ["import { a as b } from './x.ts'; export { b as c };", ["c = a of ./x.ts"]],
])("%s", (text, expected) => {
  expect(shortly(text)).toEqual(expected);
});

test.each([
  ["module.exports = { a, b: function () {} }; function a() {}", ["a: behaviour", "b: behaviour"]],
  ["exports.a = () => 1; module.exports.b = 2;", ["a: behaviour", "b: data"]],
  ["module.exports = class A {};", ["default: behaviour"]],
  ["module.exports = require('./lib/a');", ["* = * of ./lib/a"]],
])("CommonJS: %s", (text, expected) => {
  expect(shortly(text, "a.js")).toEqual(expected);
});
