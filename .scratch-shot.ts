import { startBrowser } from "./test/support/chromium.ts";
import { servePage } from "./test/support/page-server.ts";
const [file, out, hash = "", width = "1280", height = "800", theme = "light"] = process.argv.slice(2);
await using server = await servePage();
await using browser = await startBrowser({ width: Number(width), height: Number(height), dark: theme === "dark" });
const page = await browser.context.newPage();
page.on("console", (m) => console.log("console", m.type(), m.text()));
page.on("pageerror", (e) => console.log("pageerror", e.stack));
await page.goto(server.url);
if (file !== "-") {
  await page.setInputFiles('input[type="file"]', file!);
  await page.waitForSelector(".session", { timeout: 60000 });
}
if (hash !== "")
  await page.evaluate((h) => {
    location.hash = h;
  }, hash);
await page.waitForTimeout(Number(process.env.WAIT ?? 2000));
await page.screenshot({ path: out! });
