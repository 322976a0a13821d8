package io.tokenvault.adapters.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.tokenvault.adapters.http.exchange.Timestamps;
import io.tokenvault.adapters.http.request.TokenSearchRequest;
import io.tokenvault.adapters.http.resource.ApplicationRoutes;
import io.tokenvault.adapters.http.resource.ProxyRoutes;
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
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Tests that all errors of a body are reported together, each by the path of its property. */
class JsonFieldsTest {

  private static final String NOT_INTEGER = "must be a whole number";
  private static final String UNKNOWN_FIELD = "is not a known field";
  private static final String GOOD_PROXY = "'name':'n','destination_url':'https://a.example'";
  private static final SizeLimit LIMIT = SizeLimit.items(9);

  private static Map<String, List<String>> errors(String json, Function<JsonFields, ?> reader) {
    return errors(json, (fields, violations) -> reader.apply(fields));
  }

  private static Map<String, List<String>> errors(
      String json, BiFunction<JsonFields, Violations, ?> reader) {
    Violations violations = new Violations();
    Object unused = reader.apply(fields(json, violations), violations);
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
        NOT_INTEGER + "|1.0|1e2|\"1\"|2147483648|-2147483649|true", fields -> fields.integer("x"));
    readers.put(
        NOT_INTEGER + "|1.0|1e2|\"1\"|9223372036854775808|-9223372036854775809|true|[]",
        fields -> fields.longInteger("x"));
    readers.put(
        Timestamps.SHAPE + "|1|\"2026-01-01\"|\"\"",
        fields -> fields.parsed("x", Timestamps::read, Timestamps.SHAPE));
    readers.put("must be a UUID|1|\"x\"|\"\"|\"1-1-1-1-1\"", fields -> fields.uuid("x"));
    readers.put("must be an array|1|\"a\"|{}", fields -> fields.texts("x", LIMIT));
    readers.put("must be an object|1|[]|\"{}\"", fields -> fields.textMap("x", LIMIT));
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
                                  assertThat(errors("{\"x\":" + value + "}", each.getValue()))
                                      .isEqualTo(Map.of("x", List.of(messageAndValues[0])))));
            });
  }

  @Test
  void nullFieldIsTreatedAsOmitted() {
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
      assertThat(fields(json, violations).texts("x", LIMIT)).isNull();
      assertThat(fields(json, violations).textMap("x", LIMIT)).isNull();
      assertThat(fields(json, violations).objects("x", LIMIT, ApplicationRoutes::read)).isNull();
      assertThat(violations.isEmpty()).isTrue();
    }
  }

  @Test
  void mapOmitsNullValues() {
    Violations violations = new Violations();

    assertThat(fields("{\"x\":{\"a\":\"1\",\"b\":null}}", violations).textMap("x", LIMIT))
        .containsExactly(Map.entry("a", "1"));
    assertThat(violations.isEmpty()).isTrue();
  }

  @Test
  void nonObjectBodyIsRejected() {
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
  void longFieldNamesAreShortened() {
    assertThat(errors("{\"" + "n".repeat(500) + "\":1}", ApplicationRoutes::read))
        .containsEntry("n".repeat(50) + "...", List.of(UNKNOWN_FIELD));
  }

  @Test
  void unprintableCharactersInFieldNamesAreEscaped() {
    assertThat(errors("{\"a\u202e\\n\":1}", ApplicationRoutes::read))
        .containsEntry("a\\u{202e}\\u{a}", List.of(UNKNOWN_FIELD));
  }

  @Test
  void sizeLimitCountsItemsAndEntries() {
    assertThat(errors("{\"x\":[1,2]}", fields -> fields.texts("x", SizeLimit.items(1))))
        .isEqualTo(Map.of("x", List.of("must be at most 1")));
    assertThat(
            errors(
                "{\"x\":{\"a\":1,\"b\":1}}", fields -> fields.textMap("x", SizeLimit.entries(1))))
        .isEqualTo(Map.of("x", List.of("must have at most 1 entries")));
    assertThat(errors("{\"x\":[\"1\"]}", fields -> fields.texts("x", SizeLimit.items(1))))
        .isEmpty();
  }

  @TestFactory
  Stream<DynamicTest> applicationBodyIsValidated() {
    return validationTests(
        ApplicationRoutes::read,
        """
        {'name':'n','type':'private'}
        {'name':'n','type':'private','rules':null,'permissions':null}
        {'name':1,'type':2}|name=must be a string|type=must be a string
        {'name':'n','type':'x','permissions':['a',1,null],'rules':[1,null]}\
        |permissions[1]=must be a string|permissions[2]=must be a string\
        |rules[0]=must be an object|rules[1]=must be an object
        {'name':'n','type':'x','naem':1,'rules':[{'x':{}}]}|naem=is not a known field\
        |rules[0].x=is not a known field
        {'name':'n','type':'x','rules':[{'priority':'1','conditions':[{'x':1},{'attribute':1,'operator':'o','value':'v'}]}]}\
        |rules[0].priority=must be a whole number|rules[0].conditions[0].x=is not a known field\
        |rules[0].conditions[1].attribute=must be a string
        {'name':'n','type':'x','rules':[{'description':'d','priority':1,'transform':'t','permissions':['a',null],'conditions':[null]}]}\
        |rules[0].permissions[1]=must be a string|rules[0].conditions[0]=must be an object
        """);
  }

  @TestFactory
  Stream<DynamicTest> applicationUpdateAcceptsPropertiesReturnedByRead() {
    return validationTests(
        ApplicationRoutes::readUpdate,
        """
        {'name':'n'}
        {'name':'n','type':'x','expires_at':null,'modified_at':1,'modified_by':[],'last_used_at':{}}
        {'name':'n','key':'k'}|key=is not a known field
        {'name':'n','id':'x','tenant_id':1,'type':1,'created_by':'','created_at':'x','expires_at':1}\
        |id=must be a UUID|tenant_id=must be a UUID|type=must be a string\
        |created_by=must be a UUID|created_at=must be an ISO 8601 date-time with an offset\
        |expires_at=must be an ISO 8601 date-time with an offset
        {'can_create_expiring_applications':'true'}\
        |can_create_expiring_applications=must be true or false
        """);
  }

  @TestFactory
  Stream<DynamicTest> proxyBodyIsValidated() {
    return validationTests(
        ProxyRoutes::read,
        """
        {GOOD,'application':{'id':'2f1c1f0e-6f7a-4f7e-9a54-0f3b5a5f7c11','name':'ignored'}}
        {GOOD,'request_transform':null,'configuration':{'a':null}}
        {GOOD,'application':{}}|application.id=is required
        {GOOD,'application_id':'2f1c1f0e-6f7a-4f7e-9a54-0f3b5a5f7c11'}
        {GOOD,'application_id':1}|application_id=must be a UUID
        {GOOD,'application_id':'2f1c1f0e-6f7a-4f7e-9a54-0f3b5a5f7c11','application':{'id':'2F1C1F0E-6F7A-4F7E-9A54-0F3B5A5F7C11'}}
        {GOOD,'application_id':'3f1c1f0e-6f7a-4f7e-9a54-0f3b5a5f7c11','application':{'id':'2f1c1f0e-6f7a-4f7e-9a54-0f3b5a5f7c11'}}\
        |application_id=must equal application.id or be omitted
        {GOOD,'key':'k','id':null}|key=is not a known field|id=is not a known field
        {GOOD,'application':{'id':'x'}}|application.id=must be a UUID
        {GOOD,'application':'x'}|application=must be an object
        {GOOD,'configuration':{'a':1}}|configuration.a=must be a string
        {GOOD,'require_auht':false}|require_auht=is not a known field
        {GOOD,'request_transform':{'code':''},'response_transform':{'code':'x'}}
        """
            .replace("GOOD", GOOD_PROXY));
  }

  @TestFactory
  Stream<DynamicTest> proxyTransformsAreValidated() {
    String rows =
        """
        {GOOD,'PROPERTY':null}
        {GOOD,'PROPERTY':'module.exports = 1'}|PROPERTY=must be an object
        {GOOD,'PROPERTY':[]}|PROPERTY=must be an object
        {GOOD,'PROPERTY':{}}|PROPERTY.code=is required
        {GOOD,'PROPERTY':{'code':null}}|PROPERTY.code=is required
        {GOOD,'PROPERTY':{'code':1}}|PROPERTY.code=must be a string
        {GOOD,'PROPERTY':{'code':'x','runtime':'node'}}|PROPERTY.runtime=is not a known field
        """;
    return Stream.of("request_transform", "response_transform")
        .map(property -> rows.replace("GOOD", GOOD_PROXY).replace("PROPERTY", property))
        .flatMap(each -> validationTests(ProxyRoutes::read, each));
  }

  @TestFactory
  Stream<DynamicTest> tokenBodyIsValidated() {
    return validationTests(
        TokenRoutes::read,
        """
        {'type':'token','data':false}
        {'type':'token','data':null}
        {'type':'token','data':1,'mask':{'a':[null]},'search_indexes':['x']}
        {'type':'token','data':1,'search_indexes':[1],'fingerprint_expression':2,'deduplicate_token':'true'}\
        |search_indexes[0]=must be a string|fingerprint_expression=must be a string\
        |deduplicate_token=must be true or false
        {'type':'token','data':1,'containers':['/a/',null],'search_indexes':[null]}\
        |containers[1]=must be a string|search_indexes[0]=must be a string
        {'type':'token','data':1,'metadata':{'a':{}}}|metadata.a=must be a string
        """);
  }

  @TestFactory
  Stream<DynamicTest> tokenPatchIsValidated() {
    return validationTests(
        TokenRoutes::readPatch,
        """
        {}
        {'data':null,'mask':null,'metadata':null,'expires_at':null}
        {'metadata':{'a':'b','c':null}}
        {'metadata':{'a':1}}|metadata.a=must be a string
        {'metadata':[]}|metadata=must be an object
        {'id':null,'type':'card'}|id=cannot be changed|type=cannot be changed
        {'deduplicate_token':null,'dtaa':1}|deduplicate_token=is not a known field\
        |dtaa=is not a known field
        {'containers':'/a/','search_indexes':[null],'expires_at':1}|containers=must be an array\
        |search_indexes[0]=must be a string\
        |expires_at=must be an ISO 8601 date-time with an offset
        """);
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
    return validationTests(
        TokenSearchRequest::read,
        """
        {'query':'type:card','page':1,'size':100}
        {}|query=is required
        {'query':''}|query=must be 1 to 2000 characters long
        {'query':1,'page':0,'size':101,'x':1}|query=must be a string\
        |page=must be a whole number from 1|size=must be a whole number from 1 to 100\
        |x=is not a known field
        {'query':'type:card','size':0}|size=must be a whole number from 1 to 100
        """);
  }

  /** Returns a test per row: a body with ' instead of ", then its errors as path=message. */
  private static Stream<DynamicTest> validationTests(Function<JsonFields, ?> reader, String rows) {
    return validationTests((fields, violations) -> reader.apply(fields), rows);
  }

  private static Stream<DynamicTest> validationTests(
      BiFunction<JsonFields, Violations, ?> reader, String rows) {
    return rows.lines().map(row -> dynamicTest(row, () -> assertErrors(reader, row)));
  }

  private static void assertErrors(BiFunction<JsonFields, Violations, ?> reader, String row) {
    String[] cells = row.split("\\|");
    Map<String, List<String>> expected = new LinkedHashMap<>();
    Stream.of(cells)
        .skip(1)
        .map(cell -> cell.split("=", 2))
        .forEach(error -> expected.put(error[0], List.of(error[1])));
    assertThat(errors(cells[0].replace('\'', '"'), reader)).as(row).isEqualTo(expected);
  }
}
