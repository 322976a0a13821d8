package io.tokenvault.adapters.http.resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.tokenvault.adapters.http.RawResponse;
import io.tokenvault.adapters.http.TestServer;
import io.tokenvault.adapters.http.exchange.TraceId;
import io.tokenvault.adapters.http.response.ProblemMapper;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.failure.VaultException;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.json.JsonValue.JsonString;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.api.ServiceClient;
import io.tokenvault.ports.api.ServiceHeaders;
import io.tokenvault.ports.memory.SmallJsonCodec;
import io.tokenvault.ports.runtime.JsonCodec;
import io.tokenvault.ports.runtime.MemoryReservation;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that in-process calls return and record the same as equivalent HTTP requests. */
class InProcessClientTest {

  private static final TestServer SERVER = TestServer.shared();
  private static final ServiceClient CLIENT = SERVER.client();
  private static final JsonCodec JSON = new SmallJsonCodec();
  private static final TenantId TENANT = SERVER.caller(SERVER.managementKey()).tenantId();
  private static final ProblemMapper PROBLEMS = new ProblemMapper(JSON, ServiceHeaders.DEFAULT);
  private static final TraceId TRACE = new TraceId("t");

  private static final String TOKEN_PERMISSIONS =
      "['token:create','token:read','token:update','token:search','token:delete']";
  private static final String FULL_KEY =
      application("'rules':[" + rule("/", TOKEN_PERMISSIONS) + "]");

  /** Keys that reveal data, return masks, work in another container only, or lack permissions. */
  private static final List<String> KEYS =
      List.of(
          FULL_KEY,
          application("'permissions':" + TOKEN_PERMISSIONS),
          application("'rules':[" + rule("/elsewhere/", TOKEN_PERMISSIONS) + "]"),
          application("'permissions':['token:use']"));

  /** Operation, arguments, equivalent HTTP request, and the status for each key. */
  private static final String TABLE =
      """
      tokens.create|[{'type':'token','data':{'a':1.50,'b':[null]},'containers':['/a/']}]\
      |POST /tokens|201 201 403 403
      tokens.create|[{'type':'card_number','data':'4242424242424242','metadata':{'k':'v'}}]\
      |POST /tokens|201 201 403 403
      tokens.create|[{'type':'token','data':1,'mask':'x','search_indexes':['{{ data }}'],\
      'fingerprint_expression':'{{ data }}','expires_at':'2999-01-01T00:00:00Z'},null]\
      |POST /tokens|201 201 403 403
      tokens.create|[{'id':'$ID','type':'token','data':1}]|POST /tokens|409 409 403 403
      tokens.create|[{'type':'token','data':'$ID','deduplicate_token':true}]\
      |POST /tokens|201 201 403 403
      tokens.create|[{'type':'x','data':null,'y':1,'metadata':{'a':1}}]\
      |POST /tokens|400 400 400 403
      tokens.create|[{'type':'card_number','data':'12'}]|POST /tokens|400 400 400 403
      tokens.create|[{}]|POST /tokens|400 400 400 403
      tokens.retrieve|['$ID']|GET /tokens/$ID|200 200 403 403
      tokens.retrieve|['nothing-here']|GET /tokens/nothing-here|404 404 404 403
      tokens.retrieve|['a']|GET /tokens/a|404 404 404 403
      tokens.update|['$ID',{'data':{'b':2.0},'metadata':{'n':'1'}}]\
      |PATCH /tokens/$ID|200 200 403 403
      tokens.update|['$ID',{'mask':null}]|PATCH /tokens/$ID|200 403 403 403
      tokens.update|['$ID',{}]|PATCH /tokens/$ID|200 200 403 403
      tokens.update|['$ID',{'id':'x','data':null,'dtaa':1,'metadata':{'a':1}}]\
      |PATCH /tokens/$ID|400 400 400 403
      tokens.update|['nothing-here',{'data':1}]|PATCH /tokens/nothing-here|404 404 404 403
      tokens.update|['a',{'dtaa':1}]|PATCH /tokens/a|404 404 404 403
      tokens.delete|['$ID']|DELETE /tokens/$ID|204 204 403 403
      tokens.delete|['nothing-here']|DELETE /tokens/nothing-here|404 404 404 403
      tokens.delete|['a']|DELETE /tokens/a|404 404 404 403
      tokens.list|[{'id':'$ID'}]|GET /tokens?id=$ID|200 200 200 403
      tokens.list|[{'id':['$ID','nothing-here'],'type':['token','card']}]\
      |GET /tokens?id=$ID&id=nothing-here&type=token&type=card|200 200 200 403
      tokens.list|[{'metadata':{'tag':'$ID'},'container':'/A/','type':'token','page':1,'size':2}]\
      |GET /tokens?metadata.tag=$ID&container=/A/&type=token&page=1&size=2|200 200 200 403
      tokens.list|[{'metadata':{'tag':'$ID','b':'&'},'container':null}]\
      |GET /tokens?metadata.tag=$ID&metadata.b=%26|200 200 200 403
      tokens.list|[{'metadata':{'tag':'$ID'},'page':2}]\
      |GET /tokens?metadata.tag=$ID&page=2|200 200 200 403
      tokens.list|[{'id':'a','type':'x','container':'a b','page':0,'size':101}]\
      |GET /tokens?id=a&type=x&container=a%20b&page=0&size=101|400 400 400 403
      tokens.list|[]|GET /tokens|200 200 200 403
      tokens.list|[null]|GET /tokens|200 200 200 403
      tokens.list|[{}]|GET /tokens|200 200 200 403
      tokens.list|[{'id':[]}]|GET /tokens|200 200 200 403
      tokenize|[{'name':'Ann','n':1.50,'ok':true,'none':null,'list':['x',[2,{}],[]],\
      'card':{'type':'card_number','data':'4242424242424242','metadata':{'a':'b'}}}]\
      |POST /tokenize|200 200 403 403
      tokenize|['x']|POST /tokenize|200 200 403 403
      tokenize|[null]|POST /tokenize|200 200 200 403
      tokenize|[[1,{'a':1e400}]]|POST /tokenize|200 200 200 403
      tokenize|[{'a':[{'type':'x','data':1,'y':1}],'b':{'type':null,'data':null}}]\
      |POST /tokenize|400 400 400 403
      tokenize|[$MANY]|POST /tokenize|400 400 400 403
      detokenize|[{'x':'{{ $ID }}','y':'a {{ $ID }}','n':1.50}]\
      |POST /detokenize|200 200 403 403
      detokenize|['{{nothing-here}}']|POST /detokenize|400 400 400 403
      detokenize|['{{ x | }}']|POST /detokenize|400 400 400 403
      detokenize|[null]|POST /detokenize|200 200 200 403
      permissions.list|[]|GET /permissions|200 200 200 200
      permissions.list|[null]|GET /permissions|200 200 200 200
      permissions.list|['private']|GET /permissions?application_type=private|200 200 200 200
      permissions.list|['x']|GET /permissions?application_type=x|400 400 400 400
      """;

  private static String rule(String container, String permissions) {
    return "{'description':'r','priority':1,'container':'"
        + container
        + "','transform':'reveal','permissions':"
        + permissions
        + "}";
  }

  private static String application(String grants) {
    RawResponse response =
        send(
            SERVER.managementKey(),
            "POST /applications",
            "{'name':'n','type':'private'," + grants + "}");
    assertThat(response.status()).as(response.toString()).isEqualTo(201);
    return text(response.json(), "key");
  }

  private static String text(JsonObject object, String name) {
    return ((JsonString) object.properties().get(name)).value();
  }

  private static RawResponse send(String key, String request, String body) {
    return SERVER.sendJson(key, request, "application/json", body);
  }

  private static List<JsonValue> arguments(String json) {
    return ((JsonArray) value(json.replace('\'', '"'))).items();
  }

  private static JsonValue value(String json) {
    return JSON.read(json.getBytes(StandardCharsets.UTF_8));
  }

  private static String call(String key, String operation, String arguments) {
    return new String(
        CLIENT.call(
            SERVER.caller(key), operation, arguments(arguments), MemoryReservation.UNBOUNDED),
        StandardCharsets.UTF_8);
  }

  @TestFactory
  Stream<DynamicTest> callsReturnAndRecordTheSameAsRequests() {
    return TABLE.lines().flatMap(InProcessClientTest::testsForEachKey);
  }

  private static Stream<DynamicTest> testsForEachKey(String row) {
    String[] cells = row.split("\\|(?=(GET|POST|PATCH|DELETE) |\\[|\\d{3} )");
    String[] statuses = cells[3].split(" ");
    return IntStream.range(0, KEYS.size())
        .mapToObj(
            i ->
                dynamicTest(
                    i + " " + cells[0] + " " + cells[1],
                    () -> assertEquivalent(KEYS.get(i), statuses[i], cells)));
  }

  private static void assertEquivalent(String key, String status, String... cells) {
    TestToken direct = new TestToken();
    TestToken request = new TestToken();
    Result inProcess = resultOf(() -> callInProcess(key, cells[0], direct.fill(cells[1])));
    String body = cells[2].startsWith("GET") ? "" : lastArgument(request.fill(cells[1]));
    Result overHttp = resultOf(() -> sendOverHttp(key, request.fill(cells[2]), body));

    assertThat(overHttp.outcome()).startsWith(status);
    String response = overHttp.outcome().substring(4);
    if (status.startsWith("2")) {
      assertThat(inProcess.outcome()).isEqualTo(response);
    } else {
      // The order of errors differs from run to run.
      assertThat(value(inProcess.outcome())).isEqualTo(value(response));
    }
    assertThat(inProcess.log()).isEqualTo(overHttp.log()).isNotNull();
  }

  /** Returns the last argument, which is the body of the equivalent request. */
  private static String lastArgument(String arguments) {
    List<JsonValue> all = new ArrayList<>(arguments(arguments));
    all.remove(JsonValue.JsonNull.NULL);
    JsonValue last = all.isEmpty() ? JsonValue.JsonNull.NULL : all.get(all.size() - 1);
    return new String(JSON.write(last), StandardCharsets.UTF_8);
  }

  private static String callInProcess(String key, String operation, String arguments) {
    try {
      String response = call(key, operation, arguments);
      // The response to a deletion has no body.
      return response.equals("null") && operation.equals("tokens.delete") ? "" : response;
    } catch (VaultException failure) {
      return new String(
          PROBLEMS.response(failure, TRACE).body().orElseThrow().bytes(), StandardCharsets.UTF_8);
    }
  }

  private static String sendOverHttp(String key, String request, String body) {
    RawResponse response = send(key, request, body);
    return response.status() + " " + new String(response.bodyBytes(), StandardCharsets.UTF_8);
  }

  private static Result resultOf(Supplier<String> action) {
    int before = SERVER.auditLog(TENANT).size();
    String outcome = comparable(action.get());
    List<AuditEntry> log = SERVER.auditLog(TENANT);
    return new Result(
        outcome,
        log.subList(0, log.size() - before).stream()
            .map(entry -> comparable(entry.toString()))
            .toList());
  }

  /** Replaces values that differ from call to call. */
  private static String comparable(String text) {
    return text.replaceAll("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "<uuid>")
        .replaceAll("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+(Z|\\+00:00)", "<time>")
        .replaceAll("\"fingerprint\":\"[^\"]*\"", "\"fingerprint\":\"<hash>\"")
        .replaceAll("\"instance\":\"[^\"]*\"", "\"instance\":\"<trace>\"")
        // Requests have a trace; calls outside an invocation have none.
        .replaceAll("traceId=Optional(\\[<uuid>\\]|\\.empty)", "traceId=<trace>");
  }

  /** A response and the audit entries of its call. */
  private record Result(String outcome, List<String> log) {}

  @Test
  void operationsAreExactlyThoseOfTheClient() {
    assertThat(CLIENT.operations())
        .containsExactly(
            "tokens.create",
            "tokens.retrieve",
            "tokens.update",
            "tokens.delete",
            "tokens.list",
            "tokenize",
            "detokenize",
            "permissions.list");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "tokens", "tokens.search", "tokens.create ", "bt.tokens.create", "null"})
  void unknownOperationIsNotFound(String name) {
    assertFails(FailureCause.NOT_FOUND, FULL_KEY, name, "[]");
  }

  /** Each row has an operation, its arguments and their errors. */
  @TestFactory
  Stream<DynamicTest> invalidArgumentsAreReportedByName() {
    String table =
        """
        tokens.create|[]|request=is required
        tokens.create|[null]|request=is required
        tokens.create|['x']|request=must be an object
        tokens.create|[[]]|request=must be an object
        tokens.create|[{},{},1]|arguments[1]=is unexpected after request\
        |arguments[2]=is unexpected after request
        tokens.retrieve|[]|id=is required
        tokens.retrieve|[null]|id=is required
        tokens.retrieve|[1]|id=must be a string
        tokens.retrieve|[{'id':'x'}]|id=must be a string
        tokens.retrieve|['abc',true]|arguments[1]=is unexpected after id
        tokens.update|[]|id=is required|patch=is required
        tokens.update|[1,2]|id=must be a string|patch=must be an object
        tokens.update|['abc',null]|patch=is required
        tokens.update|['abc',{},'x']|arguments[2]=is unexpected after id, patch
        tokens.delete|[]|id=is required
        tokens.delete|[['abc']]|id=must be a string
        tokens.delete|['abc','abd']|arguments[1]=is unexpected after id
        tokens.list|['x']|query=must be an object
        tokens.list|[{},{}]|arguments[1]=is unexpected after query
        tokens.list|[{'id':1}]|id=must be a string or an array of strings
        tokens.list|[{'type':{}}]|type=must be a string or an array of strings
        tokens.list|[{'id':['abc',2]}]|id[1]=must be a string
        tokens.list|[{'container':['/a/']}]|container=must be a string
        tokens.list|[{'metadata':[]}]|metadata=must be an object
        tokens.list|[{'metadata':{'a':1}}]|metadata.a=must be a string
        tokens.list|[{'metadata':{'':'x'}}]|metadata=must not have an empty key
        tokens.list|[{'page':'1','size':1.5}]|page=must be a whole number|size=must be a whole number
        tokens.list|[{'query':'x','metadata.a':'b'}]|query=is not a known field\
        |metadata.a=is not a known field
        tokens.list|[{'page':0},1]|arguments[1]=is unexpected after query\
        |page=must be a whole number from 1
        tokenize|[]|value=is required
        tokenize|['x',1]|arguments[1]=is unexpected after value
        detokenize|[]|value=is required
        detokenize|['x',1]|arguments[1]=is unexpected after value
        permissions.list|[1]|application_type=must be a string
        permissions.list|['x',1]|arguments[1]=is unexpected after application_type\
        |application_type=must be one of private, public, management, expiring
        """;
    return table.lines().map(row -> dynamicTest(row, () -> assertArgumentErrors(row.split("\\|"))));
  }

  private static void assertArgumentErrors(String... cells) {
    Map<String, List<String>> errors = new LinkedHashMap<>();
    for (String error : List.of(cells).subList(2, cells.length)) {
      String[] pathAndMessage = error.split("=", 2);
      errors.put(pathAndMessage[0], List.of(pathAndMessage[1]));
    }
    int before = SERVER.auditLog(TENANT).size();
    assertThatThrownBy(() -> call(FULL_KEY, cells[0], cells[1]))
        .isInstanceOfSatisfying(
            ValidationException.class, invalid -> assertThat(invalid.errors()).isEqualTo(errors));
    assertThat(SERVER.auditLog(TENANT)).hasSize(before);
  }

  static Stream<String> tokenOperations() {
    return CLIENT.operations().stream().filter(each -> !each.equals("permissions.list"));
  }

  @ParameterizedTest
  @MethodSource("tokenOperations")
  void missingPermissionIsDeniedBeforeArgumentsAreValidated(String operation) {
    assertFails(FailureCause.PERMISSION_DENIED, KEYS.get(3), operation, "[1,2,3]");
    assertThat(SERVER.auditLog(TENANT).get(0).message())
        .matches("Denied: missing permission token:.*");
  }

  private static void assertFails(
      FailureCause cause, String key, String operation, String arguments) {
    assertThatThrownBy(() -> call(key, operation, arguments))
        .isInstanceOfSatisfying(
            VaultException.class, failure -> assertThat(failure.failure()).isEqualTo(cause));
  }

  @Test
  void numbersKeepTheirDigits() {
    String data = "{'a':[1.50,1e400,-0,12345678901234567890.123]}";
    String created = call(FULL_KEY, "tokens.create", "[{'type':'token','data':" + data + "}]");
    String id = text((JsonObject) value(created), "id");

    for (String response :
        List.of(
            created,
            call(FULL_KEY, "tokens.retrieve", "['" + id + "']"),
            call(FULL_KEY, "tokens.update", "['" + id + "',{}]"),
            call(FULL_KEY, "tokens.list", "[{'id':'" + id + "'}]"),
            call(FULL_KEY, "detokenize", "[['{{" + id + "}}']]"))) {
      assertThat(response.replace('"', '\'')).contains(data);
    }
  }

  @Test
  void deepestTokensAreReturned() {
    int depth = JsonCodec.MAX_DEPTH - 1;
    String data = "[".repeat(depth) + "]".repeat(depth);
    RawResponse created = send(FULL_KEY, "POST /tokens", "{'type':'token','data':" + data + "}");
    String id = text(created.json(), "id");

    assertThat(call(FULL_KEY, "tokens.list", "[{'id':'" + id + "'}]")).contains("\"data\":" + data);
    assertThat(call(FULL_KEY, "tokens.retrieve", "['" + id + "']")).contains("\"data\":" + data);
    int around = JsonCodec.MAX_DEPTH - 2;
    String value = "[".repeat(around) + "{'type':'token','data':1}" + "]".repeat(around);
    assertThat(call(FULL_KEY, "tokenize", "[" + value + "]"))
        .startsWith("[".repeat(around) + "{\"id\":")
        .contains("\"containers\":[\"/general/high/\"]")
        .endsWith("}" + "]".repeat(around));
  }

  /** A new token for one call. */
  private static final class TestToken {

    private final String id = UUID.randomUUID().toString();

    TestToken() {
      RawResponse created =
          send(
              FULL_KEY,
              "POST /tokens",
              "{'id':'"
                  + id
                  + "','type':'token','data':{'a':'secret','n':1e400},'containers':['/a/'],"
                  + "'mask':{'a':'{{ data.a | reveal_last: 2 }}'},'metadata':{'tag':'"
                  + id
                  + "','b':'&'}}");
      assertThat(created.status()).as(created.toString()).isEqualTo(201);
    }

    String fill(String cell) {
      return cell.replace("$ID", id).replace("$MANY", "[" + "'x',".repeat(100) + "'x']");
    }
  }
}
