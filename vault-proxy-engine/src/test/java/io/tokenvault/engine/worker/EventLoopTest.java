package io.tokenvault.engine.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.engine.wire.FromWorker.ConsoleLine;
import io.tokenvault.engine.wire.FromWorker.FailureKind;
import io.tokenvault.engine.wire.FromWorker.Outcome;
import io.tokenvault.engine.wire.FromWorker.Position;
import io.tokenvault.engine.wire.ToWorker.Reply;
import org.junit.jupiter.api.Test;

class EventLoopTest {

  private final Sandbox sandbox = new Sandbox();

  @Test
  void returnedPromiseIsAwaited() {
    assertThat(
            text(
                "return new Promise(function (ok) { later(function () { ok({body: 'x'}); }, 1);"
                    + " });"))
        .isEqualTo("x");
  }

  @Test
  void thenableIsAwaited() {
    assertThat(text("return {then: function (ok) { ok({body: 'x'}); }};")).isEqualTo("x");
  }

  @Test
  void rejectionHasSameOutcomeAsThrow() {
    Outcome thrown = run("throw new Error('no');");
    assertThat(run("return Promise.reject(new Error('no'));")).isEqualTo(thrown);
    assertThat(thrown).isInstanceOf(Outcome.ErrorThrown.class);
  }

  @Test
  void tasksRunInOrderOfNode() {
    assertThat(
            text(
                "var log = ''; function add(c) { return function () { log += c; }; }"
                    + "return new Promise(function (ok) {"
                    + " later(function () { ok({body: log + 'd'}); }, 1000);"
                    + " later(add('c'), 1); soon(add('a')); Promise.resolve().then(add('b'));"
                    + " });"))
        .isEqualTo("abcd");
  }

  @Test
  void repeatedTimerRunsUntilItIsCancelled() {
    assertThat(
            text(
                "var n = 0; return new Promise(function (ok) { var t = later(function () {"
                    + " if (++n === 3) { cancel(t); ok({body: String(n)}); } }, 1, true); });"))
        .isEqualTo("3");
  }

  @Test
  void errorThrownByTimerEndsInvocation() {
    assertThat(run("later(function () {\n throw new Error('late'); }, 1);return new Promise(say);"))
        .isEqualTo(new Outcome.ErrorThrown(500, "{\"error\":[\"late\"]}", new Position("", 2)));
  }

  @Test
  void unsettleablePromiseFailsImmediately() {
    assertThat(run("return new Promise(function () {});"))
        .isEqualTo(new Outcome.Failed(FailureKind.NEVER_SETTLES, Position.UNKNOWN));
  }

  @Test
  void replyReachesItsCall() {
    sandbox.replies.add(new Reply(2, true, "two"));
    sandbox.replies.add(new Reply(9, true, "of another invocation"));
    sandbox.replies.add(new Reply(1, false, "one"));
    assertThat(
            text(
                "var log = []; return new Promise(function (ok) { function done(n) {"
                    + " return function (good, json) { log.push(n, good, json);"
                    + " if (log.length === 6) { ok({body: log.join()}); } }; }"
                    + " ask('fetch', '{}', done(1)); ask('bt.tokens.list', '[]', done(2)); });"))
        .isEqualTo("2,true,two,1,false,one");
    assertThat(sandbox.sentCalls).containsExactly("fetch {}", "bt.tokens.list []");
  }

  @Test
  void callsBeyondTheLimitThrow() {
    Outcome outcome = run("while (true) { ask('fetch', '{}', say); }");
    assertThat(outcome)
        .isEqualTo(
            new Outcome.ErrorThrown(
                500,
                "{\"error\":[\"Too many calls of bt and fetch: at most 3 an invocation\"]}",
                new Position("", 1)));
    assertThat(sandbox.sentCalls).hasSize(3);
  }

  @Test
  void consoleIsRecordedUpToLimit() {
    String body = "for (var i = 0; i < 5000; i++) { say('line ' + i); } return {};";
    assertThat(
            sandbox.run("module.exports = function () {" + body + "};", Sandbox.LIMITS).console())
        .hasSize(1000)
        .startsWith(new ConsoleLine("log", "line 0"));
  }

  private Outcome run(String body) {
    return sandbox.run("module.exports = function () { " + body + " };");
  }

  private String text(String body) {
    return Sandbox.body(run(body));
  }
}
