import { isAtLeast } from "./server-facts.ts";

/** A hole of nats-server that is publicly known. */
interface Advisory {
  readonly id: string;
  /** The first version without it, for each line that was mended, oldest first. */
  readonly mendedIn: readonly string[];
}

const advisories: readonly Advisory[] = [
  { id: "GHSA-fhg8-qxh5-7q3w", mendedIn: ["2.10.27", "2.11.1"] },
  { id: "CVE-2026-33222", mendedIn: ["2.11.15", "2.12.6"] },
  { id: "GHSA-jx8g-9g95-6322", mendedIn: ["2.11.16", "2.12.7", "2.14.0"] },
  { id: "GHSA-38x3-76xf-cq45", mendedIn: ["2.11.16", "2.12.7", "2.14.0"] },
];

/** The oldest server of the newest line that all of them are mended in. */
export const mendedServer = "2.14.0";

const lineOf = (version: string): string => version.split(".").slice(0, 2).join(".");

/** A line that was not mended has the hole, however new, unless it began after the last one that was. */
function isMended(version: string, { mendedIn }: Advisory): boolean {
  const own = mendedIn.find((mended) => lineOf(mended) === lineOf(version));
  const last = mendedIn.at(-1) ?? "0";
  return isAtLeast(version, own ?? last);
}

/** The known holes that a version of nats-server has, by their ids. */
export const knownHoles = (version: string): readonly string[] =>
  advisories.filter((advisory) => !isMended(version, advisory)).map(({ id }) => id);
