import type { LineRule } from "./line-rule.ts";

const SQL_START = "(?:select\\s.*\\sfrom\\s|insert\\s+into\\s|update\\s+\\w+\\s+set\\s|delete\\s+from\\s)";

/** SQL in quotes, and behind it a value: joined on, put in between, or formatted in. */
const SQL_BUILT = new RegExp(
  `["'\`]\\s*${SQL_START}.*(?:["'\`]\\s*[+%.]\\s*[\\w$(]|\\{\\w|\\$\\w|#\\{)|(?:Sprintf|[Ff]ormat)\\(\\s*["'\`]\\s*${SQL_START}.*%[sdv]`,
  "i",
);

const python: readonly LineRule[] = [
  {
    name: "dynamic-code",
    languages: ["python"],
    severity: "high",
    // A call of a method named eval is something else, and so is a literal.
    bare: /(?<![\w.])(eval|exec)\s*\(\s*[^"'\s)]/,
    message:
      "eval and exec run a text as code. Parse it (ast.literal_eval, json), or choose from functions that exist.",
  },
  {
    name: "command-injection",
    languages: ["python"],
    severity: "high",
    bare: /\bos\.(system|popen)\s*\(\s*(?!["'][^"']*["']\s*\))/,
    message: "This hands a command line to a shell, which runs whatever it contains. Use subprocess.run with a list.",
  },
  {
    name: "command-injection",
    languages: ["python"],
    severity: "high",
    bare: /\bshell\s*=\s*True\b/,
    message: "shell=True lets the shell read the command. Pass a list of arguments without it.",
  },
  {
    name: "unsafe-deserialisation",
    languages: ["python"],
    severity: "high",
    bare: /\b(c?pickle|dill|marshal|shelve|joblib)\.(loads?|open)\s*\(/i,
    message: "Loading a pickle runs what its author put in. Use JSON for anything from outside.",
  },
  {
    name: "unsafe-deserialisation",
    languages: ["python"],
    severity: "high",
    bare: /\byaml\.(load|load_all|unsafe_load|full_load)\s*\(/,
    unless: /SafeLoader|CSafeLoader/,
    message: "yaml.load builds any object that the text names. Use yaml.safe_load.",
  },
  {
    name: "tls-unchecked",
    languages: ["python"],
    severity: "high",
    bare: /\bverify\s*=\s*False\b|\bssl\._create_unverified_context\b|\bCERT_NONE\b/,
    message: "Without a check of certificates anyone in between can read and change the traffic.",
  },
  {
    name: "weak-password-hash",
    languages: ["python"],
    severity: "high",
    bare: /\bhashlib\.(md5|sha1)\s*\(.*passw/i,
    message: "This hash of a password is found by trying in seconds. Use hashlib.scrypt or argon2.",
  },
  {
    name: "insecure-random",
    languages: ["python"],
    severity: "high",
    bare: /\b\w*(token|secret|password|nonce|salt|otp)\w*\s*=.*(?<![\w.])random\.(random|randint|choices?|getrandbits|sample)\s*\(/i,
    message: "random can be predicted. Use the secrets module.",
  },
];

const compiled: readonly LineRule[] = [
  {
    name: "tls-unchecked",
    languages: ["go", "rust"],
    severity: "high",
    bare: /\bInsecureSkipVerify\s*:\s*true\b|\bdanger_accept_invalid_(certs|hostnames)\s*\(\s*true/,
    message: "Without a check of certificates anyone in between can read and change the traffic.",
  },
  {
    name: "command-injection",
    languages: ["go", "rust"],
    severity: "medium",
    code: /\b(exec\.Command(Context)?|Command::new)\s*\(.*["'](ba)?sh["'].*["']-c["']\s*,\s*[^"'`\s]/,
    message:
      "This hands a text to a shell, which runs whatever it contains. Start the program itself with a list of arguments.",
  },
  {
    name: "command-injection",
    languages: ["java"],
    severity: "medium",
    bare: /\bgetRuntime\(\)\.exec\s*\(\s*([a-z]\w*\s*[,)]|["']\s*["']\s*\+|.*\+)/,
    message: "This command line is put together at run time. Use ProcessBuilder with a list of arguments.",
  },
  {
    name: "unsafe-deserialisation",
    languages: ["java", "csharp"],
    severity: "high",
    bare: /\bnew (ObjectInputStream|XMLDecoder|BinaryFormatter|NetDataContractSerializer|LosFormatter)\b/,
    message: "Reading objects this way builds whatever its author put in. Use JSON for anything from outside.",
  },
  {
    name: "tls-unchecked",
    languages: ["csharp", "java"],
    severity: "high",
    bare: /ServerCertificate(Custom)?ValidationCallback\s*\+?=.*(=>\s*true|return true)|\bNoopHostnameVerifier\b|ALLOW_ALL_HOSTNAME_VERIFIER/,
    message: "Without a check of certificates anyone in between can read and change the traffic.",
  },
  {
    name: "unsafe-memory",
    languages: ["c", "cpp"],
    severity: "high",
    bare: /(?<![\w.>])gets\s*\(/,
    message: "gets can't know how long its buffer is. Use fgets.",
  },
  {
    name: "unsafe-memory",
    languages: ["c", "cpp"],
    severity: "low",
    bare: /(?<![\w.>])(strcpy|strcat|sprintf|vsprintf)\s*\(/,
    message: "This call can't know how long its buffer is. Use the form that takes a length (snprintf, strlcpy).",
  },
  {
    name: "command-injection",
    languages: ["c", "cpp"],
    severity: "medium",
    bare: /(?<![\w.>])(system|popen)\s*\(\s*[^"\s)]/,
    message: "This hands a text that is only known at run time to a shell. Use fork and exec with a list of arguments.",
  },
];

const scripting: readonly LineRule[] = [
  {
    name: "dynamic-code",
    languages: ["php"],
    severity: "high",
    bare: /(?<![\w>$:])(eval|assert|create_function)\s*\(.*\$/,
    message: "This runs a text as code.",
  },
  {
    name: "command-injection",
    languages: ["php"],
    severity: "high",
    bare: /(?<![\w>$:])(shell_exec|exec|system|passthru|popen|proc_open)\s*\(/,
    code: /\(.*\$/,
    unless: /escapeshell(arg|cmd)/,
    message: "This hands a command line with values in it to a shell. Use escapeshellarg, or no shell at all.",
  },
  {
    name: "unsafe-deserialisation",
    languages: ["php"],
    severity: "high",
    bare: /(?<![\w>$:])unserialize\s*\(\s*\$/,
    message: "unserialize builds any object that the text names. Use json_decode.",
  },
  {
    name: "html-injection",
    languages: ["php"],
    severity: "high",
    bare: /\b(echo|print)\b.*\$_(GET|POST|REQUEST|COOKIE)\b/,
    unless: /htmlspecialchars|htmlentities|intval|urlencode|json_encode|filter_/,
    message: "This puts what a client sent into the page as HTML. Use htmlspecialchars.",
  },
  {
    name: "path-traversal",
    languages: ["php"],
    severity: "high",
    bare: /\b(include|require)(_once)?\b.*\$_(GET|POST|REQUEST|COOKIE)\b/,
    message: "A client can choose which file is run here.",
  },
  {
    name: "dynamic-code",
    languages: ["ruby"],
    severity: "high",
    bare: /(?<![\w.:])(eval|instance_eval|class_eval)\s*\(?\s*[a-z@]/,
    unless: /(instance|class)_eval\s+do\b/,
    message: "This runs a text as code.",
  },
  {
    name: "command-injection",
    languages: ["ruby"],
    severity: "high",
    code: /((?<![\w.])(system|exec|spawn)\s*\(?\s*"|%x[({[]|`)[^"`]*#\{/,
    message: "This hands a command line with values in it to a shell. Pass the arguments one by one.",
  },
  {
    name: "unsafe-deserialisation",
    languages: ["ruby"],
    severity: "high",
    bare: /\b(Marshal\.load|YAML\.(unsafe_load|load))\s*\(/,
    unless: /safe_load|permitted_classes/,
    message: "This builds any object that the text names. Use YAML.safe_load or JSON.",
  },
  {
    name: "tls-unchecked",
    languages: ["ruby", "php"],
    severity: "high",
    bare: /\bVERIFY_NONE\b|CURLOPT_SSL_VERIFY(PEER|HOST)\s*(,|=>)\s*(false|0)/i,
    message: "Without a check of certificates anyone in between can read and change the traffic.",
  },
];

const operations: readonly LineRule[] = [
  {
    name: "piped-installer",
    languages: ["shell", "docker", "yaml"],
    severity: "medium",
    code: /\b(curl|wget)\b[^|;&]*\|\s*(sudo\s+(-\S+\s+)*)?(ba|z|da)?sh\b/,
    message: "This runs whatever the address sends today. Download it, check it against a known sum, then run it.",
  },
  {
    name: "dynamic-code",
    languages: ["shell"],
    severity: "medium",
    code: /(^|[;&|]\s*|\bthen\s+|\bdo\s+)eval\s+["']?[^\s"']*\$(?!\((ssh-agent|dircolors|direnv|brew|rbenv|pyenv|nodenv|starship|fnm|opam)\b)/,
    unless: /\$\((\S*\/)?(ssh-agent|dircolors|direnv|brew|rbenv|pyenv|nodenv|starship|fnm|opam)\b/,
    message: "eval runs the value of a variable as code. Use an array, or call the command itself.",
  },
  {
    name: "tls-unchecked",
    languages: ["shell", "docker", "yaml"],
    severity: "medium",
    code: /\bcurl\b[^|;&#]*\s(-[a-zA-Z]*k[a-zA-Z]*|--insecure)(\s|$)|\bwget\b[^|;&#]*--no-check-certificate/,
    message: "Without a check of certificates anyone in between can change what is downloaded.",
  },
  {
    name: "tls-unchecked",
    languages: ["shell", "docker", "yaml", "env", "toml"],
    severity: "high",
    code: /\bNODE_TLS_REJECT_UNAUTHORIZED["']?\s*[:=]\s*["']?0\b/,
    message: "This switches certificate checks off for every connection of the process.",
  },
  {
    name: "open-permissions",
    languages: ["shell", "docker"],
    severity: "low",
    code: /\bchmod\s+(-\S+\s+)*0?777\b/,
    message: "Everyone on the machine may change this file.",
  },
  {
    name: "command-injection",
    languages: ["yaml"],
    severity: "high",
    code: /(run|script):?.*\$\{\{\s*github\.(event\.(issue|pull_request|comment|review|discussion|head_commit)\.[\w.]*(title|body|message|ref|label|name)|head_ref)\b/,
    message: "Whoever opens an issue or pull request can write this text, and the shell runs it. Pass it by env.",
  },
];

const anywhere: readonly LineRule[] = [
  {
    name: "sql-injection",
    languages: ["python", "java", "php", "ruby", "csharp", "go"],
    severity: "high",
    code: SQL_BUILT,
    bare: /\b(execute|executemany|executeQuery|executeUpdate|query|Query\w*|Exec\w*|prepareStatement|createStatement|raw|mysqli?_query|find_by_sql|SqlCommand)\s*\(/,
    message:
      "This SQL statement is put together with values, which can change what it does. Pass values as parameters.",
  },
];

/** What is looked for in files that no parser reads. */
export const securityLineRules: readonly LineRule[] = [
  ...python,
  ...compiled,
  ...scripting,
  ...operations,
  ...anywhere,
];
