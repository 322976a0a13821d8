package io.tokenvault.engine.dryrun;

import static io.tokenvault.engine.ScriptedRunner.returned;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.proxy.TransformCode;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.engine.ScriptedRunner;
import io.tokenvault.engine.transform.TransformRunner.Ending;
import io.tokenvault.engine.transform.TransformRunner.Host;
import io.tokenvault.engine.transform.pool.WorkerFailedException.WorkerFailure;
import io.tokenvault.engine.wire.BodyKind;
import io.tokenvault.engine.wire.FromWorker.ConsoleLine;
import io.tokenvault.engine.wire.FromWorker.FailureKind;
import io.tokenvault.engine.wire.FromWorker.Finished;
import io.tokenvault.engine.wire.FromWorker.Outcome;
import io.tokenvault.engine.wire.FromWorker.Position;
import io.tokenvault.engine.wire.FromWorker.Thrown;
import io.tokenvault.ports.memory.SmallJsonCodec;
import io.tokenvault.ports.memory.SmallTransformRuntime;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class FileDryRunTest {
  private static final int LIMIT = 2048;

  private final ScriptedRunner runner = new ScriptedRunner();
  private final SmallJsonCodec json = new SmallJsonCodec();

  private String dryRun(TransformKind kind, String code, String sample) {
    JsonValue value = json.read(sample.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    FileDryRun run = new FileDryRun(new SmallTransformRuntime(), runner, json, LIMIT);
    JsonObject findings = run.run(kind, new TransformCode(code), value);
    String result = new String(json.write(findings), StandardCharsets.UTF_8);
    return result.replaceAll("\"duration_ms\":\\d+", "\"duration_ms\":0").replace('"', '\'');
  }

  private String dryRun(String sample) {
    return dryRun(TransformKind.REQUEST, "code", sample);
  }

  private String dryRunResponse(String sample) {
    return dryRun(TransformKind.RESPONSE, "code", sample);
  }

  private List<Host.Reply> repliesTo(String sample, String... calls) {
    List<Host.Reply> replies = new ArrayList<>();
    runner.setScript(
        (run, host) -> {
          for (String call : calls) {
            String[] parts = call.replace('\'', '"').split(" ", 2);
            replies.add(host.call(parts[0], parts[1]));
          }
          return ScriptedRunner.unchanged();
        });
    dryRun(sample);
    return replies;
  }

  private static Map<String, List<String>> errors(ThrowingCallable call) {
    return catchThrowableOfType(ValidationException.class, call).errors();
  }

  @Test
  void requestToBeSentIsShown() {
    runner.endWith(returned(BodyKind.JSON, "{\"b\":2}", "{\"x-a\":[\"1\",\"2\"],\"host\":\"h\"}"));

    String result =
        dryRun(
            "{'request':{'method':'put','path':'/p','query':'?a=b','headers':{'X-B':'{{t}}',"
                + "'SVC-API-KEY':'k'},'body':{'a':1}},'configuration':{'K':'v'}}");

    assertThat(result)
        .isEqualTo(
            "{'request_transform':{'duration_ms':0,'console':[]},'request':{'method':'PUT',"
                + "'path':'/p','query':'a=b','headers':{'x-a':['1','2'],"
                + "'Content-Type':'application/json'},'body':{'b':2}}}");
    assertThat(runner.kindAndBody()).isEqualTo("JSON {\"a\":1}");
    assertThat(runner.run().context().replace('"', '\''))
        .isEqualTo(
            "{'headers':{'x-b':'{{t}}','content-type':'application/json'},'method':'PUT',"
                + "'path':'/p','query':'?a=b','configuration':{'K':'v'},'bt':true}");
  }

  /** Covers a million invalid fields, headers, configuration values and mocks. */
  @Test
  void sampleValidationStopsAtMaximumReportedErrors() {
    JsonValue wrong = new JsonArray(List.of());
    Map<String, JsonValue> many = new HashMap<>();
    for (int i = 0; i < 1_000_000; i++) {
      many.put("wrong header " + i, wrong);
    }
    JsonObject fields = new JsonObject(many);
    JsonArray items = new JsonArray(Collections.nCopies(1_000_000, wrong));
    JsonObject request = new JsonObject(Map.of());
    SampleReader reader = new SampleReader(json, LIMIT);
    for (JsonObject sample :
        List.of(
            fields,
            new JsonObject(Map.of("request", new JsonObject(Map.of("headers", fields)))),
            new JsonObject(Map.of("request", request, "configuration", fields)),
            new JsonObject(
                Map.of("request", request, "mocks", new JsonObject(Map.of("fetch", items)))))) {
      Map<String, List<String>> errors = errors(() -> reader.ofFile(sample));

      assertThat(errors).hasSizeBetween(100, 101);
      assertThat(errors.get("error")).last().asString().contains("may be more");
    }
  }

  /** The text contains characters that the vault's JSON rejects. */
  @Test
  void consoleIsShownForFailedTransform() {
    runner.endWith(
        new Ending.Reported(
            new Finished(
                new Outcome.ErrorThrown(
                    422, "{\"error\":[\"no\\u0000good\"]}", new Position("", 3)),
                List.of(new ConsoleLine("warn", "s\0e\uD800e\uD83D\uDE00n")))));

    assertThat(dryRun("{'request':{}}"))
        .isEqualTo(
            "{'request_transform':{'duration_ms':0,'console':[{'level':'warn','text':'s\uFFFDe\uFFFDe\uD83D\uDE00n'}],"
                + "'error':{'status':422,'title':'The transform failed','detail':'The request"
                + " transform failed at line 3.','errors':{'error':['no\uFFFDgood']},'line':3,'frame':'  1 | code'}}}");
  }

  @Test
  void engineErrorIsShownWithItsLocation() {
    runner.endWith(
        new Ending.Reported(
            new Finished(
                new Outcome.Failed(FailureKind.ENGINE_ERROR, new Position("", 4, 4)),
                List.of(),
                Optional.of(new Thrown("TypeError", "args is not defined")))));

    assertThat(dryRun(TransformKind.REQUEST, "a\r\nb\nc\n\t d;\ne\nf\ng", "{'request':{}}"))
        .contains(
            "'detail':'The request transform failed at line 4.','errors':{'error':['Transform"
                + " failed']},'name':'TypeError','message':'args is not defined','line':4,"
                + "'column':4,'frame':'  2 | b\\n  3 | c\\n> 4 | \\t d;\\n    | \\t  ^\\n"
                + "  5 | e\\n  6 | f'}");
  }

  @Test
  void failedResponseTransformReportsThatNothingWasSent() {
    runner.endWith(new Outcome.ErrorThrown(418, "{}", new Position("", 4)));

    assertThat(dryRunResponse("{'request':{},'response':{'status':200,'body':{'b':2}}}"))
        .contains(
            "'detail':'The response transform failed at line 4. Nothing was sent; in an"
                + " invocation, the request would already have been sent to the destination.'")
        .doesNotContain("'response':");
  }

  @ParameterizedTest
  @EnumSource(FailureKind.class)
  void noFailureOfResponseTransformReportsSentRequest(FailureKind kind) {
    runner.endWith(new Outcome.Failed(kind, Position.UNKNOWN));

    assertThat(dryRunResponse("{'request':{},'response':{'status':200,'body':{'b':2}}}"))
        .contains(" Nothing was sent; ")
        .doesNotContain("had already been sent");
  }

  @Test
  void unsendableResponseReportsThatNothingWasSent() {
    runner.endWith(returned(BodyKind.JSON, "{\"b\":1}"));

    assertThat(dryRunResponse("{'request':{},'response':{'status':204}}"))
        .contains("responses with 204 have none. Nothing was sent; in an invocation, ");
  }

  @Test
  void responseCreatedByTransformIsShownAsSuch() {
    runner.endWith(ScriptedRunner.responseThrown(202, "{\"a\":\"b\"}", BodyKind.TEXT, "done"));

    assertThat(dryRun("{'request':{}}"))
        .isEqualTo(
            "{'request_transform':{'duration_ms':0,'console':[],'answer':{'status':202,"
                + "'headers':{'a':'b'},'body':{'base64':'ZG9uZQ=='}}}}");
  }

  @Test
  void rejectedCodeDoesNotRun() {
    assertThat(dryRun(TransformKind.REQUEST, "ab " + SmallTransformRuntime.FLAW, "{'request':{}}"))
        .isEqualTo(
            "{'request_transform':{'error':{'title':'The code was rejected','flaws':[{'line':1,"
                + "'column':4,'message':'must not hold a flaw','frame':'> 1 | ab %s\\n    |    ^'}]}}}"
                    .formatted(SmallTransformRuntime.FLAW));
    assertThat(runner.runs()).isEmpty();
  }

  @Test
  void responseTransformRunsOnSampleResponse() {
    runner.endWith(returned(BodyKind.JSON, "{\"c\":3}"));

    assertThat(dryRunResponse("{'request':{},'response':{'status':201,'body':{'b':2}}}"))
        .isEqualTo(
            "{'response_transform':{'duration_ms':0,'console':[]},'response':{'status':201,"
                + "'headers':{'Content-Type':'application/json',"
                + "'SVC-PROXY-DESTINATION-STATUS':'201'},'body':{'c':3}}}");
    assertThat(runner.kindAndBody()).isEqualTo("JSON {\"b\":2}");
  }

  @Test
  void onlySuccessfulResponseIsTransformed() {
    assertThat(dryRunResponse("{'request':{},'response':{'status':404,'body':'gone'}}"))
        .startsWith("{'response':{'status':404,")
        .doesNotContain("response_transform");
    assertThat(runner.runs()).isEmpty();
  }

  /** A dry run sends nothing, so this holds for response transforms as well. */
  @ParameterizedTest
  @EnumSource(TransformKind.class)
  void overloadIsNotReportedAsResultOfRun(TransformKind kind) {
    runner.endWith(new Ending.Broken(WorkerFailure.BUSY));

    RefusedException refused =
        catchThrowableOfType(
            RefusedException.class,
            () -> dryRun(kind, "code", "{'request':{},'response':{'status':200,'body':'b'}}"));
    assertThat(refused).hasMessage("All workers for transforms are busy. Try again.");
  }

  @Test
  void mocksOfBtAreUsedInOrder() {
    List<Host.Reply> replies =
        repliesTo(
            "{'request':{},'mocks':{'bt':{'tokens.create':[{'id':'1'},{'id':'2'}],"
                + "'tokens.delete':null}}}",
            "bt.tokens.create [{}]",
            "bt.tokens.create [{}]",
            "bt.tokens.create [{}]",
            "bt.tokens.delete ['1']",
            "bt.tokens.delete ['1']",
            "bt.tokens.retrieve ['1']",
            "bt.tokens.unknown []");

    assertThat(replies)
        .extracting(Host.Reply::json)
        .startsWith("{\"id\":\"1\"}", "{\"id\":\"2\"}")
        .element(3)
        .isEqualTo("null");
    assertThat(replies)
        .extracting(Host.Reply::ok)
        .containsExactly(true, true, false, true, true, false, false);
    assertThat(replies.get(2).json())
        .contains("\"status\":501", "Not available in a dry run", "bt.tokens.create");
    assertThat(replies.get(6).json()).contains("\"status\":400");
  }

  @Test
  void mocksOfFetchAreFoundByUrlAndMethod() {
    String fetch = "fetch {'url':'https://a.example/x','method':'%s','headers':[]}";
    List<Host.Reply> replies =
        repliesTo(
            "{'request':{},'mocks':{'fetch':[{'url':'https://a.example/x','method':'post',"
                + "'status':201,'headers':{'A':['1','2']},'body':'ok'},"
                + "{'url':'https://a.example/x','method':'POST','status':202}]}}",
            fetch.formatted("POST"),
            fetch.formatted("POST"),
            fetch.formatted("POST"),
            fetch.formatted("GET"),
            "fetch [");

    assertThat(replies.get(0))
        .isEqualTo(
            new Host.Reply(
                true,
                "{\"status\":201,\"url\":\"https://a.example/x\","
                    + "\"headers\":[[\"A\",\"1\"],[\"A\",\"2\"]],\"body\":\"b2s=\"}"));
    assertThat(replies.get(1).json()).contains("\"status\":202");
    assertThat(replies.get(2).json()).contains("\"status\":202");
    assertThat(replies.get(3).json()).contains("\"status\":501").doesNotContain("a.example");
    assertThat(replies.get(4).json()).contains("\"status\":400");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[] | error",
        "{} | request",
        "{'request':{},'more':1,'application':{}} | more application",
        "{'request':1,'response':{},'mocks':[]} | request response.status mocks",
        "{'request':{'method':'TRACE','path':'p','query':1,'x':1}}"
            + " | request.query request.x request.method request.path",
        "{'request':{'method':'ß'}} | request.method",
        "{'request':{},'mocks':{'fetch':[{'url':'x','method':'ß','status':200}]}}"
            + " | mocks.fetch[0].method",
        "{'request':{'method':'GET','body':'b'}} | request.body",
        "{'request':{'headers':{'a b':'1','c':1,'d':['1',2],'e':'1\\n2'}}}"
            + " | `request.headers.a b,request.headers.c,request.headers.d,request.headers.e`",
        "{'request':{'body':{'base64':'?'}}} | request.body.base64",
        "{'request':{'body':{'base64':1}}} | request.body.base64",
        "{'request':{'headers':{'Content-Type':'application/x-www-form-urlencoded'},"
            + "'body':{'a':{}}}} | request.body",
        "{'request':{},'response':{'status':1000}} | response.status",
        "{'request':{},'response':{'status':200.5,'body':1,'y':1}} | response.status response.y",
        "{'request':{},'configuration':{'a':1}} | configuration.a",
        "{'request':{},'mocks':{'bt':{'tokens.open':1},'x':1}} | mocks.bt.tokens.open mocks.x",
        "{'request':{},'mocks':{'fetch':[{'url':1,'z':1},2]}} | mocks.fetch[0].url"
            + " mocks.fetch[0].status mocks.fetch[0].z mocks.fetch[1]"
      })
  void allErrorsOfSampleAreReported(String sample, String paths) {
    assertThat(errors(() -> dryRun(sample)))
        .containsOnlyKeys(paths.split(paths.contains(",") ? "," : " "));
    assertThat(runner.runs()).isEmpty();
  }

  @Test
  void bodyAboveLimitIsRejected() {
    String body = "x".repeat(LIMIT + 1);

    assertThat(errors(() -> dryRun("{'request':{'body':'" + body + "'}}")))
        .containsOnlyKeys("request.body");
  }

  @Test
  void responseTransformRequiresResponse() {
    assertThat(errors(() -> dryRunResponse("{'request':{}}"))).containsOnlyKeys("response");
  }

  @Test
  void sampleDataIsAbsentFromToString() {
    String sample = "{\"request\":{\"path\":\"/4111\",\"body\":\"4111\"}}";
    JsonValue value = json.read(sample.getBytes(StandardCharsets.UTF_8));
    assertThat(new SampleReader(json, LIMIT).ofFile(value).toString()).doesNotContain("4111");
  }
}
