import { expect, test } from "vitest";
import { reviewSecurity } from "../../../../src/cli/demo/security/review-security.ts";
import { GITHUB_TOKEN, PRIVATE_KEY_FILE } from "../../../support/made-up-keys.ts";
import { projectOf } from "../../../support/project-of.ts";
import { saidAbout } from "../../../support/review-of.ts";

test.each([
  ["a.py", "x = eval(text)", "high dynamic-code 1"],
  ["a.py", "os.system('rm ' + name)", "high command-injection 1"],
  ["a.py", "subprocess.run(command, shell=True)", "high command-injection 1"],
  ["a.py", "data = pickle.loads(body)", "high unsafe-deserialisation 1"],
  ["a.py", "data = yaml.load(body)", "high unsafe-deserialisation 1"],
  ["a.py", "requests.get(url, verify=False)", "high tls-unchecked 1"],
  ["a.py", "h = hashlib.md5(password.encode())", "high weak-password-hash 1"],
  ["a.py", "token = ''.join(random.choices(LETTERS, k=9))", "high insecure-random 1"],
  ["a.py", `cursor.execute(f"SELECT * FROM users WHERE id = {user_id}")`, "high sql-injection 1"],
  ["a.py", `cursor.execute("SELECT * FROM users WHERE id = '%s'" % user_id)`, "high sql-injection 1"],
  ["a.py", "PASSWORD = 'hunter2!'", "high hardcoded-secret 1"],
  ["a.go", "t := &tls.Config{InsecureSkipVerify: true}", "high tls-unchecked 1"],
  ["a.go", `cmd := exec.Command("sh", "-c", line)`, "medium command-injection 1"],
  ["a.go", `apiKey := "9f8a7b6c5d4e3f2a1b0c"`, "high hardcoded-secret 1"],
  ["a.rs", "let c = Client::builder().danger_accept_invalid_certs(true);", "high tls-unchecked 1"],
  ["A.java", `Runtime.getRuntime().exec("ls " + dir);`, "medium command-injection 1"],
  ["A.java", "new ObjectInputStream(in).readObject();", "high unsafe-deserialisation 1"],
  ["A.cs", "handler.ServerCertificateCustomValidationCallback = (a, b, c, d) => true;", "high tls-unchecked 1"],
  ["a.c", "gets(buffer);", "high unsafe-memory 1"],
  ["a.cpp", "strcpy(to, from);", "low unsafe-memory 1"],
  ["a.c", "system(line);", "medium command-injection 1"],
  ["a.php", "eval($code);", "high dynamic-code 1"],
  ["a.php", `$x = shell_exec("ls " . $dir);`, "high command-injection 1"],
  ["a.php", "$x = unserialize($body);", "high unsafe-deserialisation 1"],
  ["a.php", "echo $_GET['q'];", "high html-injection 1"],
  ["a.php", "include $_GET['page'];", "high path-traversal 1"],
  ["a.rb", "eval params[:code]", "high dynamic-code 1"],
  ["a.rb", 'system("ls #{dir}")', "high command-injection 1"],
  ["a.rb", "Marshal.load(body)", "high unsafe-deserialisation 1"],
  ["a.rb", "http.verify_mode = OpenSSL::SSL::VERIFY_NONE", "high tls-unchecked 1"],
  ["a.sh", "curl -fsSL https://a.example/i.sh | sh", "medium piped-installer 1"],
  ["Dockerfile", "RUN wget -qO- https://a.example/i.sh | sudo bash", "medium piped-installer 1"],
  ["a.sh", 'eval "$command"', "medium dynamic-code 1"],
  ["a.sh", "curl -k https://a.example", "medium tls-unchecked 1"],
  ["a.sh", "chmod -R 777 /var", "low open-permissions 1"],
  ["a.yml", "  NODE_TLS_REJECT_UNAUTHORIZED: '0'", "high tls-unchecked 1"],
  ["ci.yml", "  run: echo ${{ github.event.issue.title }}", "high command-injection 1"],
  ["ci.yml", "  db_password: k8#mQz!pL2", "high hardcoded-secret 1"],
  [".env", "JWT_SECRET=9f8a7b6c5d!Qx", "high hardcoded-secret 1"],
  ["config.json", '  "clientSecret": "k8#mQz!pL2"', "high hardcoded-secret 1"],
  ["notes.md", `key: ${GITHUB_TOKEN}`, "high hardcoded-secret 1"],
  ["server.key", PRIVATE_KEY_FILE, "high hardcoded-secret 1"],
])("%s: %s: %s", async (path, text, expected) => {
  expect(await saidAbout(reviewSecurity, `${text}\n`, path)).toEqual([expected]);
});

test.each([
  ["a.py", "# eval(text) would be wrong"],
  ["a.py", "help = 'never use eval(text) or os.system(x)'"],
  ["a.py", '"""\nexec(code) is dangerous\n"""'],
  ["a.py", "model.eval()\ndf.eval(expression)\nre.exec(a)"],
  ["a.py", "value = ast.literal_eval(text)\nx = eval('1 + 1')"],
  ["a.py", "subprocess.run(['ls', name])"],
  ["a.py", "data = yaml.load(body, Loader=yaml.SafeLoader)\nyaml.safe_load(body)"],
  ["a.py", `cursor.execute("SELECT * FROM users WHERE id = %s", (user_id,))`],
  ["a.py", "password = os.environ['PASSWORD']\ntoken = get_token()\npassword = input('Password: ')"],
  ["a.py", "choice = random.choice(colors)"],
  ["a.go", '// InsecureSkipVerify: true\ntoken := r.Header.Get("Authorization")'],
  ["a.go", `exec.Command("git", "log", branch)`],
  ["a.go", `fmt.Println("select a from b " + c)`],
  ["a.c", "fgets(buffer, 9, in); my_system(line); /* gets(x) */"],
  ["a.php", "$pdo->exec($statement); echo htmlspecialchars($_GET['q']);"],
  ["a.rb", "class_eval do\nend\nsystem('ls', dir)"],
  ["a.sh", "curl -fsSL https://a.example/i.sh -o i.sh # then | sh"],
  ["a.sh", 'eval "$(ssh-agent -s)"'],
  ["ci.yml", "  GITHUB_TOKEN: ${{ secrets.GITHUB_TOKEN }}\n  run: echo ${{ github.sha }}"],
  [".env.example", "JWT_SECRET=9f8a7b6c5d!Qx"],
  [".env", "API_KEY=\nTOKEN_URL=https://a.example/token2\nPASSWORD=${OTHER}"],
  ["ja.json", '  "Change the Password.": "a1!bcdefgh2"'],
  ["package.json", '  "scripts": { "token": "node scripts/token1.js" }'],
  ["notes.md", "Set password = 'hunter2!' in your settings."],
])("%s: %s is fine", async (path, text) => {
  expect(await saidAbout(reviewSecurity, `${text}\n`, path)).toEqual([]);
});

test("the files that had only this smaller analysis are named", async () => {
  const project = await projectOf({ "a.ts": "a;", "b.py": "b", "c.ts": "const =", "d.md": "# D" });
  expect(reviewSecurity(project).smaller).toEqual(["b.py", "c.ts", "d.md"]);
});

test("a file that the parser refuses is a finding, and its secrets are found all the same", async () => {
  const { findings } = reviewSecurity(await projectOf({ "src/a.ts": "const password = 'hunter2!';\nconst = 1;\n" }));
  expect(findings.map(({ rule, line, evidence }) => [rule, line, evidence])).toEqual([
    ["hardcoded-secret", 1, "const password = '***';"],
    ["unparsable", 2, "const = 1;"],
  ]);
});
