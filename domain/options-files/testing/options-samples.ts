/*
 * Options files as administrators write them: every kind of rule with every kind of blank, quote, comment and line end. The first four are
 * whole files; the others are made of what such files have.
 */
const WHOLE = [
  `# Options of the vendor daemon, written by the installer.

GROUPCASEINSENSITIVE ON
MAX 4 solver HOST calc01
GROUP crash ann bea chris
RESERVE 3 solver GROUP crash
INCLUDE solver USER ann
INCLUDE post USER ann
GROUP CRASH dan
INCLUDE "solver key=ab12" USER eve
EXCLUDE "solver key=cd34" USER eve
INCLUDE mesh:asset_info=36678 USER fred
`,
  'RESERVE 1 compile USER ann\nRESERVE 3 compile HOST mainline\nEXCLUDE compile USER bea\nNOLOG QUEUED\n',
  `# ends in a backslash \\
GROUP night ann bea \\
      chris \\
\tdan
GROUP night eve
USER_GROUP day fred CORP\\greta
HOST_GROUP lab 192.0.2.25 10.0.0.*
    INCLUDE   solver    USER    ann    the   second
INCLUDEALL GROUP night
EXCLUDEALL HOST_GROUP lab
RESERVE 0 solver GROUP night
RESERVE 2 solver GROUP Night
MAX 2 f1.ext:VERSION=2.1 USER_GROUP day
MAX two f1 USER ann
EXCLUDE f1 INTERNET 10.1.*.*
INCLUDE f1 PROJECT apollo
TIMEOUT solver 14400
TIMEOUTALL 7200
LINGER f1 600
MAX_BORROW_HOURS mesh 72
BORROW_LOWWATER solver 3
INCLUDE_BORROW mesh USER ann
REPORTLOG +"C:\\Program Files\\logs\\rep.rl"
DEBUGLOG +/var/log/vendor.log
USERCASEINSENSITIVE ON
NOLOG IN`,
  '\ufeffGROUPCASEINSENSITIVE ON\r\n# 保留給電磁組\r\nGROUP TeamA ann bea\r\nRESERVE 1 em_high GROUP TeamA\r\nRESERVE 99 em_high:EXPDATE=31-jan-2027 GROUP TeamA\r\nINCLUDE hpc GROUP TeamA\r\nEXCLUDE hpc USER bea\r\n',
]

const STATEMENTS = [
  'RESERVE 5 solver GROUP night',
  'RESERVE 2 "solver VERSION=2.1" USER ann',
  'MAX 3 mesh USER_GROUP day',
  'MAX 1 post:VERSION=1.0:EXPDATE=1-jan-2028 HOST calc02',
  'INCLUDE solver HOST_GROUP lab',
  'EXCLUDE solver USER "DOMAIN\\ann smith"',
  'EXCLUDE solver DISPLAY pc1:0.0',
  'INCLUDEALL INTERNET 192.0.2.*',
  'EXCLUDEALL USER guest',
  'INCLUDE_BORROW solver GROUP day',
  'EXCLUDE_BORROW solver HOST "lap top"',
  'INCLUDE_ENTITLEMENT e-1 USER ann',
  'TIMEOUT solver:VERSION=3 3600',
  'TIMEOUTALL 900',
  'LINGER mesh 60',
  'REPORTLOG +"C:\\logs of daemons\\report.rl"',
  'NOLOG DENIED',
  'AUTOMATIC_REREAD OFF',
  'GROUPCASEINSENSITIVE OFF',
  'GROUP night ann "bea of night" C\\\\',
]
/** Ways to write one statement. */
const WAYS: readonly ((statement: string) => string)[] = [
  (text) => `${text}\n`,
  (text) => `  ${text.replace(' ', '\t ')}  \r\n`,
  (text) => `# about the next line\n\n${text.replace(' ', ' \\\n    ')}`,
]
/** What follows it in the file. */
const REST = 'GROUP night x y\nGROUP day z\nHOST_GROUP lab calc01\n#end\n'

/** Files with one statement each, written in every way. The groups that they name come after them. */
const SINGLE = STATEMENTS.flatMap((statement) => WAYS.map((way) => `${way(statement)}\n${REST}`))

export const OPTIONS_SAMPLES: readonly string[] = [...WHOLE, ...SINGLE.slice(0, 59)]
