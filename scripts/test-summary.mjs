// Prints `N passed, N failed` from vitest's JSON report; exits 1 when a test failed, none ran or there is no report.
// Plain JavaScript of 2019 without dependencies: it must speak even when the installation failed.
// Use: node scripts/test-summary.mjs REPORT
import { readFileSync } from "fs";

/** The report, or null with a word on stderr when it is missing or broken. */
function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    console.error(`No test report: ${error.message}`);
    return null;
  }
}

/** A file that could not be loaded has no tests to fail, so it counts as one failed test. */
function count(report) {
  const broken = report.testResults.filter((file) => file.status === "failed" && file.assertionResults.length === 0);
  return { passed: report.numPassedTests, failed: report.numFailedTests + broken.length };
}

const report = readReport(process.argv[2]);
const { passed, failed } = report === null ? { passed: 0, failed: 0 } : count(report);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
