package io.tokenvault.adapters.http.resource;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.adapters.http.RawReply;
import io.tokenvault.adapters.http.TestServer;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.json.JsonValue.JsonString;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Tokens over HTTP, for an application that sees all of them and one that sees masks. */
class TokenRoutesTest {

  private static final TestServer SERVER = TestServer.shared();
  private static final String JSON = "application/json";
  private static final String MERGE_PATCH = "application/merge-patch+json";
  private static final String VALIDATION = "validation-failed";
  private static final String ALL =
      "'token:create','token:read','token:update','token:search','token:delete'";
  private static final String REVEALED =
      application(
          "'rules':[{'description':'all','priority':1,'container':'/','transform':'reveal',"
              + "'permissions':["
              + ALL
              + "]}]");
  private static final String MASKED = application("'permissions':[" + ALL + "]");

  private static String application(String grants) {
    String body = "{'name':'tests','type':'private'," + grants + "}";
    RawReply reply = send(SERVER.key(), "POST", "/applications", JSON, body);
    assertThat(reply.status()).as(reply.toString()).isEqualTo(201);
    return text(reply, "key");
  }

  private static RawReply send(
      String key, String method, String path, String contentType, String body) {
    return SERVER.sendJson(key, method + " " + path, contentType, body);
  }

  private static RawReply post(String key, String path, String body) {
    return send(key, "POST", path, JSON, body).isOwn();
  }

  private static RawReply patch(String key, String id, String body) {
    return send(key, "PATCH", "/tokens/" + id, MERGE_PATCH, body).isOwn();
  }

  private static String newId() {
    return UUID.randomUUID().toString();
  }

  private static String text(RawReply reply, String name) {
    return ((JsonString) reply.json().members().get(name)).value();
  }

  private static String body(RawReply reply) {
    return new String(reply.bodyBytes(), StandardCharsets.UTF_8).replace('"', '\'');
  }

  private static List<String> found(RawReply reply) {
    assertThat(reply.status()).as(reply.toString()).isEqualTo(200);
    return ((JsonArray) reply.json().members().get("data"))
        .items().stream()
            .map(item -> ((JsonString) ((JsonObject) item).members().get("id")).value())
            .toList();
  }

  private static RawReply list(String query) {
    return send(REVEALED, "GET", "/tokens?" + query, JSON, "");
  }

  private static RawReply search(String key, String query) {
    return post(key, "/tokens/search", "{'query':'" + query.replace("\"", "\\\"") + "'}");
  }

  @Test
  void expressionsAreReturnedOnlyWithRevealedData() {
    String body =
        "{'type':'token','data':{'a':'secret'},'mask':{'a':'{{ data.a | reveal_last: 2 }}'},"
            + "'search_indexes':['{{ data.a }}'],'fingerprint_expression':'{{ data.a }}',"
            + "'containers':['/a/'],'metadata':{'m':'1'}}";

    RawReply revealed = post(REVEALED, "/tokens", body);
    assertThat(revealed.status()).isEqualTo(201);
    assertThat(revealed.json().members().keySet())
        .containsExactly(
            "id",
            "tenant_id",
            "type",
            "fingerprint",
            "data",
            "mask",
            "search_indexes",
            "fingerprint_expression",
            "containers",
            "metadata",
            "created_by",
            "created_at");
    assertThat(revealed.header("Location")).isEqualTo("/tokens/" + text(revealed, "id"));
    assertThat(body(revealed))
        .contains("'data':{'a':'secret'}", "'mask':{'a':'{{ data.a | reveal_last: 2 }}'}");

    RawReply masked = post(MASKED, "/tokens", body);
    assertThat(masked.json().members().keySet())
        .containsExactly(
            "id",
            "tenant_id",
            "type",
            "fingerprint",
            "data",
            "containers",
            "metadata",
            "created_by",
            "created_at");
    assertThat(body(masked)).contains("'data':{'a':'XXXXet'}").doesNotContain("secret");
  }

  @Test
  void deduplicatedCreateReturnsExistingToken() {
    String body =
        "{'type':'token','data':'" + newId() + "','deduplicate_token':true,'containers':['/b/']}";
    RawReply first = post(REVEALED, "/tokens", body);
    RawReply second = post(REVEALED, "/tokens", body);

    assertThat(first.status()).isEqualTo(201);
    assertThat(second.status()).isEqualTo(200);
    assertThat(second.values("Location")).isEmpty();
    assertThat(second.header("Content-Location")).isEqualTo("/tokens/" + text(first, "id"));
    assertThat(second.json()).isEqualTo(first.json());
  }

  @Test
  void existingTokenIsMinimalWithoutReadPermission() {
    String creator = application("'permissions':['token:create']");
    String body = "{'type':'token','data':'" + newId() + "','deduplicate_token':true}";
    post(REVEALED, "/tokens", body);

    RawReply found = post(creator, "/tokens", body);

    assertThat(found.status()).isEqualTo(200);
    assertThat(found.json().members().keySet())
        .containsExactly("id", "type", "fingerprint", "containers");
  }

  @Test
  void patchChangesNamedPropertiesAndNullRemovesThem() {
    String id = newId();
    String body =
        "{'id':'<id>','type':'token','data':{'a':1,'b':2},'mask':{'a':'x'},"
            + "'metadata':{'k':'1','l':'2'},'expires_at':'2999-01-01T00:00:00Z'}";
    post(REVEALED, "/tokens", body.replace("<id>", id));

    RawReply reply =
        patch(
            REVEALED,
            id,
            "{'data':{'b':null,'c':{'d':3}},'mask':null,'metadata':{'k':null,'n':'3'},"
                + "'containers':['/c/'],'expires_at':null,'search_indexes':['{{ data.a }}']}");

    assertThat(reply.status()).as(reply.toString()).isEqualTo(200);
    assertThat(body(reply))
        .contains("'data':{'a':1,'c':{'d':3}}", "'metadata':{'l':'2','n':'3'}")
        .contains("'containers':['/c/']", "'search_indexes':['{{ data.a }}']", "'modified_at'")
        .doesNotContain("'mask'", "expires_at");
  }

  @Test
  void patchesAreMergePatchesOrJustJson() {
    String id = newId();
    post(REVEALED, "/tokens", "{'id':'" + id + "','type':'token','data':1}");
    for (String type : List.of(JSON, MERGE_PATCH, MERGE_PATCH + "; charset=utf-8")) {
      assertThat(send(REVEALED, "PATCH", "/tokens/" + id, type, "{'data':2}").status())
          .as(type)
          .isEqualTo(200);
    }
    for (String type : List.of("application/json-patch+json", "text/plain", "application/x+json")) {
      send(REVEALED, "PATCH", "/tokens/" + id, type, "{'data':2}")
          .isProblem(415, "unsupported-media-type");
    }
    patch(REVEALED, newId(), "{}").isProblem(404, "not-found");
    patch(REVEALED, "a", "{}").isProblem(404, "not-found");
  }

  @Test
  void searchFindsByEveryField() {
    String id = newId();
    String body =
        "{'id':'<id>','type':'card_number','data':'4242424242424242','containers':['/s/high/'],"
            + "'search_indexes':['{{ data }}-<id>'],'metadata':{'customer':'<id>'}}";
    RawReply made = post(REVEALED, "/tokens", body.replace("<id>", id));
    assertThat(made.status()).as(made.toString()).isEqualTo(201);

    for (String query :
        List.of(
            "id:" + id,
            "data:4242424242424242-" + id,
            "metadata.customer:" + id + " AND type:card_number",
            "container:/s/high/",
            "container:/s/*",
            "id:" + id + " AND created_at:[2020-01-01 TO *]",
            "fingerprint:" + text(made, "fingerprint") + " AND id:" + id,
            "id:" + id + " AND created_by:" + text(made, "created_by"))) {
      assertThat(found(search(REVEALED, query))).as(query).containsExactly(id);
    }
    assertThat(found(list("metadata.customer=" + id + "&type=token&type=card_number&id=" + id)))
        .containsExactly(id);
    assertThat(found(list("metadata.customer=" + id + "&container=/m/"))).isEmpty();
    assertThat(found(search(REVEALED, "id:" + id + " AND NOT type:card_number"))).isEmpty();
    assertThat(found(search(REVEALED, "data:4242424242424242"))).isEmpty();
    assertThat(body(search(MASKED, "id:" + id))).doesNotContain("4242424242424242");
  }

  @Test
  void invalidSearchReportsErrorPosition() {
    RawReply reply =
        post(REVEALED, "/tokens/search", "{'query':'data:secret~','page':0,'size':101}");

    reply.isProblem(400, VALIDATION);
    assertThat(body(reply))
        .contains("'query':['at character 12: fuzzy")
        .contains("'page':['must be a whole number from 1']")
        .contains("'size':['must be a whole number from 1 to 100']")
        .doesNotContain("secret");
  }

  @Test
  void jsonKeepsItsStructureWhenTokenizedAndDetokenized() {
    String body =
        "{'name':'Ann','n':1.50,'ok':true,'none':null,'list':['x',[2,{}],[]],"
            + "'card':{'type':'card_number','data':'4242424242424242','metadata':{'a':'b'}}}";

    RawReply reply = post(REVEALED, "/tokenize", body);

    assertThat(reply.status()).as(reply.toString()).isEqualTo(200);
    assertThat(body(reply).replaceAll("[0-9a-f-]{36}", "<id>"))
        .startsWith(
            "{'name':'<id>','n':1.50,'ok':true,'none':null,'list':['<id>',[2,{}],[]],"
                + "'card':{'id':'<id>','tenant_id':")
        .contains("'data':'4242424242424242',")
        .endsWith("}}");
    String back =
        body(post(REVEALED, "/detokenize", "{'hi':'{{" + text(reply, "name") + "}}','n':1.50}"));
    assertThat(back).isEqualTo("{'hi':'Ann','n':1.50}");
  }

  @Test
  void tokenizeErrorsAreReportedByPathAndNothingIsCreated() {
    String id = newId();
    String body =
        "{'good':{'id':'<id>','type':'token','data':1},"
            + "'a':{'b':[0,{'type':'card_number','data':'12'}]},"
            + "'c':[{'type':'x','data':1,'metadata':{'k':2},'y':1}],'d':{'type':null,'data':null}}";
    RawReply reply = post(REVEALED, "/tokenize", body.replace("<id>", id));

    reply.isProblem(400, VALIDATION);
    assertThat(((JsonObject) reply.json().members().get("errors")).members())
        .containsOnlyKeys(
            "a.b[1].data", "c[0].type", "c[0].metadata.k", "c[0].y", "d.type", "d.data");
    assertThat(found(search(REVEALED, "id:" + id))).isEmpty();

    RawReply root = post(REVEALED, "/tokenize", "[{'type':'x','data':1}]");
    assertThat(body(root)).contains("'errors':{'[0].type':");
  }
}
