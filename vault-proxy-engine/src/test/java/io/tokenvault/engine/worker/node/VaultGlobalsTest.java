package io.tokenvault.engine.worker.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.engine.ScriptedRunner;
import io.tokenvault.engine.wire.BodyKind;
import io.tokenvault.engine.wire.FromWorker.ConsoleLine;
import io.tokenvault.engine.wire.FromWorker.Outcome;
import io.tokenvault.engine.wire.FromWorker.Outcome.ErrorThrown;
import io.tokenvault.engine.wire.FromWorker.Position;
import io.tokenvault.engine.worker.Sandbox;
import io.tokenvault.engine.worker.Sandbox.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests the vault's client and errors, fetch and the console, as scripts use them. */
final class VaultGlobalsTest {

  private static final Sandbox SANDBOX = new Sandbox(List.of("other-errors"));

  private final List<String> calls = new ArrayList<>();

  private Outcome run(String body, Response... responses) {
    return SANDBOX
        .run(
            "module.exports = function (req) { var bt = req.bt; " + body + "\n};",
            (operation, json) -> {
              calls.add(operation + " " + json);
              return responses[calls.size() - 1];
            })
        .outcome();
  }

  /** Returns the JSON of the value of an expression, or of its promise. */
  private String value(String expression, Response... responses) {
    Outcome outcome =
        run(
            "return Promise.resolve("
                + expression
                + ").then(function (v) {"
                + " return { body: { v: v } }; });",
            responses);
    String json = Sandbox.body(outcome);
    return json.substring("{\"v\":".length(), json.length() - 1);
  }

  private void assertValue(String expression, String quoted, Response... responses) {
    assertThat(value(expression, responses)).isEqualTo(json(quoted));
  }

  private void assertCalls(String... quoted) {
    assertThat(calls)
        .containsExactly(Stream.of(quoted).map(VaultGlobalsTest::json).toArray(String[]::new));
  }

  /** Returns JSON with double instead of single quotes. */
  private static String json(String quoted) {
    return quoted.replace('\'', '"');
  }

  private static Response ok(String quoted) {
    return new Response(true, json(quoted));
  }

  private static Response failed(int status) {
    return new Response(
        false, json("{'status':" + status + ",'title':'T','detail':'D','errors':{'a':['b']}}"));
  }

  @Test
  void tokenFieldsAreSentInSnakeCaseWithContentUnchanged() {
    value(
        "bt.tokens.create({type: 'token', data: {cardNumber: 1}, metadata: {aB: 'c'},"
            + " mask: {cD: 1}, searchIndexes: ['x'], fingerprint_expression: 'f',"
            + " deduplicateToken: true, expiresAt: new Date(0), containers: undefined})",
        ok("{}"));

    assertCalls(
        "bt.tokens.create [{'type':'token','data':{'cardNumber':1},'metadata':{'aB':'c'},"
            + "'mask':{'cD':1},'search_indexes':['x'],'fingerprint_expression':'f',"
            + "'deduplicate_token':true,'expires_at':'1970-01-01T00:00:00.000Z'}]");
  }

  @Test
  void tokenFieldsAreReadableByBothNames() {
    String token = "{'id':'t','created_at':'c','data':{'a_b':1}}";

    assertValue(
        "bt.tokens.retrieve('t').then(function (t) { t.createdAt = 'd';"
            + " return [t, t.created_at, t.data.aB === undefined, Object.keys(t)]; })",
        "[{'id':'t','created_at':'d','data':{'a_b':1}},'d',true,['id','created_at','data']]",
        ok(token));
    assertCalls("bt.tokens.retrieve ['t']");
  }

  @Test
  void updateAndDeleteSendTokenId() {
    value("bt.tokens.update('t', {searchIndexes: []})", ok("{}"));
    value("bt.tokens.delete('t').then(function (v) { return v === undefined; })", ok(""), ok(""));

    assertCalls("bt.tokens.update ['t',{'search_indexes':[]}]", "bt.tokens.delete ['t']");
  }

  @Test
  void listFieldsAreReadableByBothNames() {
    String page = "{'pagination':{'total_items':1},'data':[{'created_at':'c'}]}";

    assertValue(
        "bt.tokens.list({type: ['card'], metadata: {aB: 1}, pageSize: 2})"
            + ".then(function (l) {"
            + " return [l.pagination.totalItems, l.data[0].createdAt]; })",
        "[1,'c']",
        ok(page));
    assertCalls("bt.tokens.list [{'type':['card'],'metadata':{'aB':1},'page_size':2}]");
  }

  @Test
  void tokenizeConvertsFieldNamesOfTokensOnly() {
    value(
        "bt.tokenize({firstName: 'x', card: {type: 'card', data: {aB: 1}, searchIndexes: []},"
            + " list: [{aB: 'y'}]})",
        ok("{}"));

    assertCalls(
        "bt.tokenize [{'firstName':'x','card':{'type':'card','data':{'aB':1},"
            + "'search_indexes':[]},'list':[{'aB':'y'}]}]");
  }

  @Test
  void detokenizeAndPermissionsAreNotConverted() {
    assertValue(
        "bt.detokenize({aB: '{{x}}', c_d: 1})", "{'aB':'y','c_d':1}", ok("{'aB':'y','c_d':1}"));
    calls.clear();
    assertValue("bt.permissions.list()", "[{'type':'t'}]", ok("[{'type':'t'}]"));
    assertCalls("bt.permissions.list []");
  }

  @Test
  void failedCallRejectsWithErrorOfItsStatus() {
    String seen =
        ".then(null, function (e) { return [e.name, e.message, e.status, e.errors, e.data.title,"
            + " e instanceof Error, e.stack.split('\\n')[0]]; })";

    assertValue(
        "bt.tokens.retrieve('t')" + seen,
        "['NotFoundError','D',404,{'a':['b']},'T',true,'NotFoundError: D']",
        failed(404));
    calls.clear();
    assertValue(
        "bt.tokens.retrieve('t')" + seen,
        "['Error','D',409,{'a':['b']},'T',true,'Error: D']",
        failed(409));
  }

  @Test
  void uncaughtRejectionIsReportedWithItsLine() {
    assertThat(run("\n\nreturn bt.tokens.retrieve('t');", failed(403)))
        .isEqualTo(new ErrorThrown(403, json("{'a':['b']}"), new Position("", 3)));
  }

  @Test
  void wrongArgumentsRejectInsteadOfThrowing() {
    assertValue("bt.tokens.retrieve().catch(function (e) { return e.name; })", "'TypeError'");
    assertThat(calls).isEmpty();
  }

  @Test
  void errorsReturnTheirStatusAndErrors() {
    assertThrown("new BadRequestError('no')", 400, "{'error':['no']}");
    assertThrown("new AuthenticationError(new Error('who'))", 401, "{'error':['who']}");
    assertThrown("new AuthorizationError(['a', 'b'])", 403, "{'error':['a','b']}");
    assertThrown(
        "new NotFoundError({field: ['x'], other: 'y'})", 404, "{'field':['x'],'other':['y']}");
    assertThrown("new RateLimitError()", 429, "{}");
  }

  private void assertThrown(String error, int status, String errors) {
    assertThat(run("throw " + error + ";"))
        .isEqualTo(new ErrorThrown(status, json(errors), new Position("", 1)));
  }

  @Test
  void errorClassesEqualThoseOfModulesAndCanBeExtended() {
    String sub =
        "(function () { function Sub(m) { var e = Reflect.construct(NotFoundError, [m], Sub);"
            + " return e; } Sub.prototype = Object.create(NotFoundError.prototype);"
            + " Sub.prototype.constructor = Sub; var e = new Sub('m');"
            + " return [e instanceof Sub, e instanceof NotFoundError, e instanceof Error,"
            + " e.name, e.message, e.status, String(e), e.stack.split('\\n')[0],"
            + " Object.keys(e)]; })()";
    assertValue(
        "[require('vault-errors').NotFoundError === NotFoundError,"
            + " require('other-errors').RateLimitError === RateLimitError]",
        "[true,true]");
    assertValue(
        sub,
        "[true,true,true,'NotFoundError','m',404,'NotFoundError: m','NotFoundError: m',"
            + "['status','errors']]");
  }

  @Test
  void customResponseIsReturnedUnchanged() {
    Outcome outcome =
        run(
            "throw new CustomHttpResponseError({status: 302, headers: {location: '/x'},"
                + " body: {a: 1}});");

    assertThat(outcome)
        .usingRecursiveComparison()
        .isEqualTo(
            ScriptedRunner.responseThrown(
                302, json("{'location':'/x'}"), BodyKind.JSON, json("{'a':1}")));
  }

  @Test
  void customResponseRequiresStatus() {
    assertValue(
        "(function () { try { new CustomHttpResponseError({body: 1}); }"
            + " catch (e) { return e.name; } })()",
        "'TypeError'");
  }

  @Test
  void fetchSendsRequestAndReadsResponse() {
    String reply =
        "{'status':201,'url':'https://a/x','headers':[['X-A','1'],['x-a','2']],"
            + "'body':'eyJhIjoxfQ=='}";
    String seen =
        ".then(function (r) { return r.json().then(function (j) {"
            + " return [r.status, r.ok, r.statusText, r.url, r.headers.get('x-a'), j,"
            + " r.bodyUsed]; }); })";

    assertValue(
        "fetch(new URL('https://a/x#y'), {method: 'post', headers: {'X-B': 'c'},"
            + " body: Buffer.from('hi')})"
            + seen,
        "[201,true,'Created','https://a/x','1, 2',{'a':1},true]",
        ok(reply));
    assertCalls(
        "fetch {'url':'https://a/x','method':'POST','headers':[['x-b','c']],'body':'aGk='}");
  }

  @Test
  void failedFetchReportsReasonInItsCause() {
    assertValue(
        "fetch('https://a').catch(function (e) {"
            + " return [e instanceof TypeError, e.message, e.cause.status,"
            + " e.cause.detail, e.cause.message]; })",
        "[true,'fetch failed',502,'D','D']",
        failed(502));
    assertCalls("fetch {'url':'https://a/','method':'GET','headers':[]}");
  }

  @Test
  void abortedFetchRejectsBeforeItsResponse() {
    assertValue(
        "(function () { var c = new AbortController();"
            + " var p = fetch('https://a', {signal: c.signal}); c.abort();"
            + " return p.catch(function (e) { return e.name; }); })()",
        "'AbortError'",
        ok("{}"));
  }

  @Test
  void consoleLinesAreFormattedAndRecorded() {
    List<ConsoleLine> lines =
        SANDBOX
            .run(
                "module.exports = function () { console.log('%s is %d', 'a', 1, {b: [2]});"
                    + " console.warn('w'); console.error(new Map([[1, 2]])); console.info();"
                    + " console.debug(null); console.group('g'); console.log('in\\nside');"
                    + " console.groupEnd(); console.assert(false, 'x'); console.assert(true);"
                    + " console.count(); console.count(); console.dir({a: {b: {c: {}}}},"
                    + " {depth: 0}); var log = console.log; log('free'); return {}; };",
                (operation, json) -> null)
            .console();

    assertThat(lines)
        .containsExactly(
            new ConsoleLine("log", "a is 1 { b: [ 2 ] }"),
            new ConsoleLine("warn", "w"),
            new ConsoleLine("error", "Map(1) { 1 => 2 }"),
            new ConsoleLine("info", ""),
            new ConsoleLine("debug", "null"),
            new ConsoleLine("log", "g"),
            new ConsoleLine("log", "  in\n  side"),
            new ConsoleLine("warn", "Assertion failed: x"),
            new ConsoleLine("log", "default: 1"),
            new ConsoleLine("log", "default: 2"),
            new ConsoleLine("log", "{ a: [Object] }"),
            new ConsoleLine("log", "free"));
  }

  @Test
  void outputOfProcessIsRecordedAsLines() {
    List<ConsoleLine> lines =
        SANDBOX
            .run(
                "module.exports = function () { var process = require('process');"
                    + " process.stdout.write('a\\nb\\n'); process.stderr.write(Buffer.from('c'));"
                    + " return new Promise(function (resolve) {"
                    + " process.stdout.write('d', function () { resolve({}); }); }); };",
                (operation, json) -> null)
            .console();

    assertThat(lines)
        .containsExactly(
            new ConsoleLine("log", "a\nb"),
            new ConsoleLine("error", "c"),
            new ConsoleLine("log", "d"));
  }

  @Test
  void changesByInvocationAreInvisibleToOthers() {
    run(
        "URL.prototype.toJSON = function () { return 'mine'; };"
            + " require('util').inspect = null; bt.tokens = null; BadRequestError.x = 1;"
            + " console.log = null; global.left = 1; var process = require('process');"
            + " process.env.X = 1; process.stdout.on('finish', function () {}); return {};");

    assertValue(
        "[new URL('http://a'), typeof require('util').inspect, typeof bt.tokens,"
            + " typeof BadRequestError.x, typeof console.log, typeof left,"
            + " typeof require('process').env.X,"
            + " require('process').stdout.listenerCount('finish')]",
        "['http://a/','function','object','undefined','function','undefined','undefined',0]");
  }

  @Test
  void globalsAreNotEnumerableAndCanBeReplaced() {
    assertValue(
        "[Object.keys(globalThis), (function () { URL = 5; return URL; })(),"
            + " (function () { fetch = null; return fetch; })()]",
        "[[],5,null]");
  }

  @Test
  void unknownLocaleIsRejectedAndNotSubstituted() {
    assertValue(
        "[function () { return (1.5).toLocaleString('de-DE'); }, function () {"
            + " return new Date(0).toLocaleDateString('en-GB'); }, function () {"
            + " return (1).toLocaleString('en-US', {notation: 'compact'}); }, function () {"
            + " new Intl.PluralRules('en', {minimumSignificantDigits: 2}); }]"
            + ".map(function (f) { try { return f(); } catch (e) { return e.message; } })",
        "['toLocaleString: the locale is not en-US','toLocaleString: the locale is not en-US',"
            + "'toLocaleString: the option notation is not supported',"
            + "'toLocaleString: the option minimumSignificantDigits is not supported']");
  }
}
