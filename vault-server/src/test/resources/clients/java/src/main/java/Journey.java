import java.util.List;
import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.ApplicationsApi;
import org.openapitools.client.api.LogsApi;
import org.openapitools.client.api.ProxyApi;
import org.openapitools.client.api.TokensApi;
import org.openapitools.client.model.AccessRule;
import org.openapitools.client.model.AccessTransform;
import org.openapitools.client.model.ApplicationType;
import org.openapitools.client.model.LogPage;
import org.openapitools.client.model.ApplicationDraft;
import org.openapitools.client.model.TokenDraft;
import org.openapitools.client.model.PermissionType;
import org.openapitools.client.model.TokenType;

/** The samples of docs/getting-started.md, by a client that OpenAPI Generator generated. */
public final class Journey {

  private Journey() {}

  public static void main(String[] arguments) throws Exception {
    ApiClient management = client(System.getenv("MANAGEMENT"));
    ApiClient backend =
        application(
            management,
            new ApplicationDraft()
                .name("Shop backend")
                .permissions(List.of(PermissionType.TOKEN_CREATE, PermissionType.TOKEN_USE)));
    String id =
        new TokensApi(backend)
            .createToken(
                new TokenDraft().type(TokenType.CARD_NUMBER).data("4242424242424242"), null, null)
            .getId();
    AccessRule rule =
        new AccessRule()
            .description("Reads cards")
            .priority(1)
            .container("/pci/")
            .transform(AccessTransform.REVEAL)
            .permissions(List.of(PermissionType.TOKEN_READ));
    ApiClient reader =
        application(management, new ApplicationDraft().name("Card reader").rules(List.of(rule)));
    System.out.println("read " + new TokensApi(reader).getToken(id, null).getData());

    Object received =
        new ProxyApi(backend)
            .forwardPost(
                null,
                null,
                null,
                System.getenv("DESTINATION"),
                null,
                null,
                Map.of("card", "{{" + id + "}}"));
    System.out.println("received " + management.getObjectMapper().writeValueAsString(received));

    LogPage logs =
        new LogsApi(management)
            .listLogs(null, null, id, null, null, null, null, null, null, null);
    System.out.println(
        "recorded "
            + logs.getPagination().getTotalItems()
            + " "
            + logs.getData().get(logs.getData().size() - 1).getOperation());
  }

  private static ApiClient client(String key) {
    ApiClient client = new ApiClient();
    client.updateBaseUri(System.getenv("VAULT"));
    client.setRequestInterceptor(request -> request.header("SVC-API-KEY", key));
    return client;
  }

  private static ApiClient application(ApiClient management, ApplicationDraft application)
      throws Exception {
    application.type(ApplicationType.PRIVATE);
    return client(
        new ApplicationsApi(management).createApplication(application, null, null).getKey());
  }
}
