package io.tokenvault.adapters.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.tokenvault.adapters.http.exchange.Timestamps;
import io.tokenvault.adapters.http.request.ApplicationRequest;
import io.tokenvault.adapters.http.request.ApplicationRequest.AccessRuleRequest;
import io.tokenvault.adapters.http.request.ProxyRequest;
import io.tokenvault.adapters.http.request.QueryParameters;
import io.tokenvault.adapters.http.request.RequestValidator;
import io.tokenvault.adapters.http.request.TokenSearchRequest;
import io.tokenvault.adapters.http.resource.TokenRoutes;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.request.JsonFields;
import io.tokenvault.domain.request.JsonFields.SizeLimit;
import io.tokenvault.domain.token.Change;
import io.tokenvault.domain.token.TokenPatch;
import io.tokenvault.ports.memory.SmallJsonCodec;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** What is wrong with a body is told by the path of the property, once, and all at once. */
class JsonFieldsTest {

  private static final String WHOLE = "must be a whole number";
  private static final String REQUIRED = "is required";
  private static final String UNKNOWN = "is not a known field";
  private static final SizeLimit MANY = SizeLimit.items(9);

  private static Map<String, List<String>> errors(
      String json, Function<JsonFields, ?> reader, boolean constraints) {
    Violations violations = new Violations();
    Object read = reader.apply(fields(json, violations));
    if (constraints) {
      RequestValidator.check(read, violations);
    }
    return violations.asMap();
  }

  private static JsonFields fields(String json, Violations violations) {
    return JsonFields.of(
        new SmallJsonCodec().read(json.getBytes(StandardCharsets.UTF_8)), violations);
  }

  @TestFactory
  Stream<DynamicTest> wrongTypeIsReportedWithoutCoercion() {
    Map<String, Function<JsonFields, ?>> readers = new LinkedHashMap<>();
    readers.put("must be a string|1|true|[]|{}", fields -> fields.text("x"));
    readers.put("must be true or false|\"true\"|1|0|\"\"", fields -> fields.flag("x"));
    readers.put(
        WHOLE + "|1.0|1e2|\"1\"|2147483648|-2147483649|true", fields -> fields.integer("x"));
    readers.put(
        WHOLE + "|1.0|1e2|\"1\"|9223372036854775808|-9223372036854775809|true|[]",
        fields -> fields.longInteger("x"));
    readers.put(
        Timestamps.SHAPE + "|1|\"2026-01-01\"|\"\"",
        fields -> fields.parsed("x", Timestamps::read, Timestamps.SHAPE));
    readers.put("must be a UUID|1|\"x\"|\"\"|\"1-1-1-1-1\"", fields -> fields.uuid("x"));
    readers.put("must be an array|1|\"a\"|{}", fields -> fields.texts("x", MANY));
    readers.put("must be an object|1|[]|\"{}\"", fields -> fields.textMap("x", MANY));
    return readers.entrySet().stream()
        .flatMap(
            each -> {
              String[] messageAndValues = each.getKey().split("\\|");
              return Stream.of(messageAndValues)
                  .skip(1)
                  .map(
                      value ->
                          dynamicTest(
                              value + " " + messageAndValues[0],
                              () ->
                                  assertThat(
                                          errors("{\"x\":" + value + "}", each.getValue(), false))
                                      .isEqualTo(Map.of("x", List.of(messageAndValues[0])))));
            });
  }

  @Test
  void nullIsTheSameAsLeftOut() {
    for (String json : List.of("{}", "{\"x\":null}")) {
      Violations violations = new Violations();
      assertThat(fields(json, violations).text("x")).isNull();
      assertThat(fields(json, violations).flag("x")).isNull();
      assertThat(fields(json, violations).integer("x")).isNull();
      assertThat(fields(json, violations).longInteger("x")).isNull();
      JsonFields fields = fields(json, violations);
      assertThat(fields.<Instant>parsed("x", Timestamps::read, Timestamps.SHAPE)).isNull();
      assertThat(fields(json, violations).uuid("x")).isNull();
      assertThat(fields(json, violations).any("x")).isNull();
      assertThat(fields(json, violations).texts("x", MANY)).isNull();
      assertThat(fields(json, violations).textMap("x", MANY)).isNull();
      assertThat(fields(json, violations).objects("x", MANY, AccessRuleRequest::read)).isNull();
      assertThat(violations.isEmpty()).isTrue();
    }
  }

  @Test
  void mapOmitsNullValues() {
    Violations violations = new Violations();

    assertThat(fields("{\"x\":{\"a\":\"1\",\"b\":null}}", violations).textMap("x", MANY))
        .containsExactly(Map.entry("a", "1"));
    assertThat(violations.isEmpty()).isTrue();
  }

  @Test
  void nonObjectBodyIsRejectedAsAWhole() {
    for (String json : List.of("[]", "1", "\"x\"", "null", "true")) {
      assertThatThrownBy(() -> fields(json, new Violations()))
          .isInstanceOfSatisfying(
              ValidationException.class,
              invalid ->
                  assertThat(invalid.errors())
                      .isEqualTo(Map.of("error", List.of("must be a JSON object"))));
    }
  }

  @Test
  void namesThatAreTooLongAreNotRepeatedWhole() {
    assertThat(errors("{\"" + "n".repeat(500) + "\":1}", AccessRuleRequest::read, false))
        .containsEntry("n".repeat(50) + "...", List.of(UNKNOWN));
  }

  @Test
  void namesThatWouldChangeHowAMessageReadsAreEscaped() {
    assertThat(errors("{\"a\u202e\\n\":1}", AccessRuleRequest::read, false))
        .containsEntry("a\\u{202e}\\u{a}", List.of(UNKNOWN));
  }

  @Test
  void sizeLimitCountsItemsAndEntries() {
    assertThat(errors("{\"x\":[1,2]}", fields -> fields.texts("x", SizeLimit.items(1)), false))
        .isEqualTo(Map.of("x", List.of("must be at most 1")));
    assertThat(
            errors(
                "{\"x\":{\"a\":1,\"b\":1}}",
                fields -> fields.textMap("x", SizeLimit.entries(1)),
                false))
        .isEqualTo(Map.of("x", List.of("must have at most 1 entries")));
    assertThat(errors("{\"x\":[\"1\"]}", fields -> fields.texts("x", SizeLimit.items(1)), false))
        .isEmpty();
  }

  @TestFactory
  Stream<DynamicTest> applicationBodyIsValidated() {
    Map<String, Map<String, List<String>>> rows = new LinkedHashMap<>();
    rows.put("{'name':'n','type':'private'}", Map.of());
    rows.put("{'name':'n','type':'private','rules':null,'permissions':null}", Map.of());
    rows.put("{}", Map.of("name", List.of(RequestValidator.NAME), "type", List.of(REQUIRED)));
    rows.put("{'name':1,'type':2}", each("must be a string", "name", "type"));
    rows.put("{'name':'  ','type':'x'}", Map.of("name", List.of(RequestValidator.NAME)));
    rows.put(
        "{'name':'n','type':'x','permissions':['a',1,null],'rules':[1,null]}",
        Map.of(
            "permissions[1]", List.of("must be a string"),
            "permissions[2]", List.of("must be a string"),
            "rules[0]", List.of("must be an object"),
            "rules[1]", List.of("must be an object")));
    rows.put(
        "{'name':'n','type':'x','naem':1,'rules':[{'x':{}}]}",
        Map.of(
            "naem", List.of(UNKNOWN),
            "rules[0].x", List.of(UNKNOWN),
            "rules[0].description", List.of(REQUIRED),
            "rules[0].priority", List.of(REQUIRED),
            "rules[0].transform", List.of(REQUIRED),
            "rules[0].permissions", List.of(REQUIRED)));
    rows.put(
        "{'name':'n','type':'x','rules':[{'description':'d','priority':0,'transform':'t',"
            + "'permissions':[],'conditions':[{},{'attribute':1,'operator':'o','value':'v'}]}]}",
        Map.of(
            "rules[0].priority", List.of("must be 1 or more"),
            "rules[0].permissions", List.of("must not be empty"),
            "rules[0].conditions[0].attribute", List.of(REQUIRED),
            "rules[0].conditions[0].operator", List.of(REQUIRED),
            "rules[0].conditions[0].value", List.of(REQUIRED),
            "rules[0].conditions[1].attribute", List.of("must be a string")));
    rows.put(
        "{'name':'n','type':'x','rules':[{'description':'d','priority':1,'transform':'t',"
            + "'permissions':['a',null],'conditions':[null]}]}",
        Map.of(
            "rules[0].permissions[1]", List.of("must be a string"),
            "rules[0].conditions[0]", List.of("must be an object")));
    return table(rows, ApplicationRequest::read);
  }

  @TestFactory
  Stream<DynamicTest> applicationUpdateAcceptsPropertiesReturnedByRead() {
    Map<String, Map<String, List<String>>> rows = new LinkedHashMap<>();
    rows.put("{'name':'n'}", Map.of());
    rows.put(
        "{'name':'n','type':'x','expires_at':null,'modified_at':1,'modified_by':[],'last_used_at':{}}",
        Map.of());
    rows.put("{'name':'n','key':'k'}", Map.of("key", List.of(UNKNOWN)));
    rows.put(
        "{'name':'n','id':'x','tenant_id':1,'type':1,'created_by':'','created_at':'x','expires_at':1}",
        Map.of(
            "id", List.of("must be a UUID"),
            "tenant_id", List.of("must be a UUID"),
            "type", List.of("must be a string"),
            "created_by", List.of("must be a UUID"),
            "created_at", List.of(Timestamps.SHAPE),
            "expires_at", List.of(Timestamps.SHAPE)));
    rows.put(
        "{'can_create_expiring_applications':'true'}",
        Map.of(
            "name", List.of(RequestValidator.NAME),
            "can_create_expiring_applications", List.of("must be true or false")));
    return table(rows, ApplicationRequest.Update::read);
  }

  @TestFactory
  Stream<DynamicTest> proxyBodyIsValidated() {
    String good = "'name':'n','destination_url':'https://a.example'";
    String id = "2f1c1f0e-6f7a-4f7e-9a54-0f3b5a5f7c11";
    Map<String, Map<String, List<String>>> rows = new LinkedHashMap<>();
    rows.put("{" + good + ",'application':{'id':'" + id + "','name':'ignored'}}", Map.of());
    rows.put("{" + good + ",'request_transform':null,'configuration':{'a':null}}", Map.of());
    rows.put("{" + good + ",'application':{}}", Map.of("application.id", List.of(REQUIRED)));
    rows.put("{" + good + ",'application_id':'" + id + "'}", Map.of());
    rows.put(
        "{" + good + ",'application_id':1}", Map.of("application_id", List.of("must be a UUID")));
    rows.put(
        "{"
            + good
            + ",'application_id':'"
            + id
            + "','application':{'id':'"
            + id.toUpperCase(Locale.ROOT)
            + "'}}",
        Map.of());
    rows.put(
        "{"
            + good
            + ",'application_id':'"
            + id.replace('2', '3')
            + "','application':{'id':'"
            + id
            + "'}}",
        Map.of("application_id", List.of("must equal application.id or be omitted")));
    rows.put("{" + good + ",'key':'k','id':null}", each(UNKNOWN, "key", "id"));
    rows.put(
        "{" + good + ",'application':{'id':'x'}}",
        Map.of("application.id", List.of("must be a UUID")));
    rows.put(
        "{" + good + ",'application':'x'}", Map.of("application", List.of("must be an object")));
    rows.put(
        "{" + good + ",'configuration':{'a':1}}",
        Map.of("configuration.a", List.of("must be a string")));
    rows.put("{" + good + ",'require_auht':false}", Map.of("require_auht", List.of(UNKNOWN)));
    rows.put(
        "{" + good + ",'request_transform':{'code':''},'response_transform':{'code':'x'}}",
        Map.of());
    return table(rows, ProxyRequest::read);
  }

  @TestFactory
  Stream<DynamicTest> proxyTransformsAreValidated() {
    return Stream.of("request_transform", "response_transform")
        .flatMap(property -> table(transforms(property), ProxyRequest::read));
  }

  private static Map<String, Map<String, List<String>>> transforms(String property) {
    String start = "{'name':'n','destination_url':'https://a.example','" + property + "':";
    Map<String, Map<String, List<String>>> rows = new LinkedHashMap<>();
    rows.put(start + "null}", Map.of());
    rows.put(start + "'module.exports = 1'}", Map.of(property, List.of("must be an object")));
    rows.put(start + "[]}", Map.of(property, List.of("must be an object")));
    rows.put(start + "{}}", Map.of(property + ".code", List.of(REQUIRED)));
    rows.put(start + "{'code':null}}", Map.of(property + ".code", List.of(REQUIRED)));
    rows.put(start + "{'code':1}}", Map.of(property + ".code", List.of("must be a string")));
    rows.put(
        start + "{'code':'x','runtime':'node'}}", Map.of(property + ".runtime", List.of(UNKNOWN)));
    return rows;
  }

  @TestFactory
  Stream<DynamicTest> tokenBodyIsValidated() {
    Map<String, Map<String, List<String>>> rows = new LinkedHashMap<>();
    rows.put("{'type':'token','data':false}", Map.of());
    rows.put("{'type':'token','data':null}", Map.of());
    rows.put("{'type':'token','data':1,'mask':{'a':[null]},'search_indexes':['x']}", Map.of());
    rows.put(
        "{'type':'token','data':1,'search_indexes':[1],'fingerprint_expression':2,"
            + "'deduplicate_token':'true'}",
        Map.of(
            "search_indexes[0]", List.of("must be a string"),
            "fingerprint_expression", List.of("must be a string"),
            "deduplicate_token", List.of("must be true or false")));
    rows.put(
        "{'type':'token','data':1,'containers':['/a/',null],'search_indexes':[null]}",
        each("must be a string", "containers[1]", "search_indexes[0]"));
    rows.put(
        "{'type':'token','data':1,'metadata':{'a':{}}}",
        Map.of("metadata.a", List.of("must be a string")));
    return table(rows, TokenRoutes::read);
  }

  @TestFactory
  Stream<DynamicTest> tokenPatchIsValidated() {
    Map<String, Map<String, List<String>>> rows = new LinkedHashMap<>();
    rows.put("{}", Map.of());
    rows.put("{'data':null,'mask':null,'metadata':null,'expires_at':null}", Map.of());
    rows.put("{'metadata':{'a':'b','c':null}}", Map.of());
    rows.put("{'metadata':{'a':1}}", Map.of("metadata.a", List.of("must be a string")));
    rows.put("{'metadata':[]}", Map.of("metadata", List.of("must be an object")));
    rows.put("{'id':null,'type':'card'}", each("cannot be changed", "id", "type"));
    rows.put("{'deduplicate_token':null,'dtaa':1}", each(UNKNOWN, "deduplicate_token", "dtaa"));
    rows.put(
        "{'containers':'/a/','search_indexes':[null],'expires_at':1}",
        Map.of(
            "containers", List.of("must be an array"),
            "search_indexes[0]", List.of("must be a string"),
            "expires_at", List.of(Timestamps.SHAPE)));
    return table(rows, TokenRoutes::readPatch);
  }

  @Test
  void transformCodeIsNotPrinted() {
    ProxyRequest request =
        ProxyRequest.read(
            fields("{\"request_transform\":{\"code\":\"planted\"}}", new Violations()));

    assertThat(request.toString()).doesNotContain("planted");
  }

  @Test
  void patchDistinguishesNullFromOmitted() {
    TokenPatch patch =
        TokenRoutes.readPatch(
            fields(
                "{\"mask\":null,\"data\":false,\"metadata\":{\"a\":null,\"b\":\"c\"}}",
                new Violations()));

    assertThat(patch.mask()).isEqualTo(new Change.Reset<>());
    assertThat(patch.data()).isEqualTo(new Change.To<>(JsonValue.of(false)));
    assertThat(patch.metadata())
        .isEqualTo(new Change.To<>(Map.of("a", Optional.empty(), "b", Optional.of("c"))));
    assertThat(patch.containers()).isEqualTo(new Change.Keep<>());
    assertThat(patch.expiresAt()).isEqualTo(new Change.Keep<>());
    assertThat(patch.fingerprintExpression()).isEqualTo(new Change.Keep<>());
  }

  @TestFactory
  Stream<DynamicTest> searchBodyIsValidated() {
    Map<String, Map<String, List<String>>> rows = new LinkedHashMap<>();
    rows.put("{'query':'x','page':1,'size':100}", Map.of());
    rows.put("{}", Map.of("query", List.of(REQUIRED)));
    rows.put("{'query':''}", Map.of("query", List.of("must be 1 to 2000 characters long")));
    rows.put(
        "{'query':1,'page':0,'size':101,'x':1}",
        Map.of(
            "query", List.of("must be a string"),
            "page", List.of("must be a whole number from 1"),
            "size", List.of("must be a whole number from 1 to 100"),
            "x", List.of(UNKNOWN)));
    rows.put("{'query':'x','size':0}", Map.of("size", List.of(QueryParameters.SIZE_SHAPE)));
    return table(rows, TokenSearchRequest::read);
  }

  private static Stream<DynamicTest> table(
      Map<String, Map<String, List<String>>> rows, Function<JsonFields, ?> reader) {
    return rows.entrySet().stream()
        .map(
            row ->
                dynamicTest(
                    row.getKey(),
                    () ->
                        assertThat(errors(row.getKey().replace('\'', '"'), reader, true))
                            .isEqualTo(row.getValue())));
  }

  private static Map<String, List<String>> each(String message, String... paths) {
    Map<String, List<String>> errors = new LinkedHashMap<>();
    for (String path : paths) {
      errors.put(path, List.of(message));
    }
    return errors;
  }
}
