package io.tokenvault.packaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import com.marcnuri.helm.LintResult;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1NetworkPolicy;
import io.kubernetes.client.openapi.models.V1PodDisruptionBudget;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V2HorizontalPodAutoscaler;
import io.tokenvault.server.config.Configuration;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the Helm chart in {@code packaging/helm}. */
final class HelmChartTest {

  private static final Map<String, Schema> SCHEMAS =
      Map.of(
          "apps/v1 Deployment", V1Deployment::validateJsonElement,
          "v1 Service", V1Service::validateJsonElement,
          "policy/v1 PodDisruptionBudget", V1PodDisruptionBudget::validateJsonElement,
          "networking.k8s.io/v1 NetworkPolicy", V1NetworkPolicy::validateJsonElement,
          "autoscaling/v2 HorizontalPodAutoscaler", V2HorizontalPodAutoscaler::validateJsonElement);

  /** Rejects unknown fields, missing required ones, and wrong types. */
  private interface Schema {
    void validate(JsonElement object) throws IOException;
  }

  @BeforeAll
  static void helmIsAvailable() {
    assumeTrue(
        System.getProperty("os.name").equals("Linux")
            && System.getProperty("os.arch").equals("amd64"),
        "the build includes Helm for Linux on amd64 only: run the test there");
  }

  @Test
  void chartPassesHelmLint() {
    LintResult result = HelmChart.lint();
    assertThat(result.isFailed()).as("%s", result.getMessages()).isFalse();
  }

  @Test
  void objectsMatchTheSchemasOfKubernetes() throws IOException {
    List<JsonNode> all = new ArrayList<>(HelmChart.render(HelmChart.REQUIRED));
    all.addAll(HelmChart.render(allValues()));
    assertThat(all).hasSize(9);
    for (JsonNode object : all) {
      String kind = object.path("apiVersion").asText() + " " + object.path("kind").asText();
      assertThat(SCHEMAS).containsKey(kind);
      SCHEMAS.get(kind).validate(JsonParser.parseString(object.toString()));
    }
  }

  @Test
  void settingsOfTheVaultAreValid() {
    Map<String, String> settings = new HashMap<>();
    for (JsonNode variable : container(HelmChart.render(allValues())).path("env")) {
      settings.put(variable.path("name").asText(), variable.path("value").asText());
    }
    assertThat(settings)
        .containsEntry("VAULT_EGRESS_ALLOWED_HOSTS", "api.payments.example")
        .containsEntry("VAULT_PROXY_HELD_BODY_BYTES", "16777216");
    // The files exist only in a pod.
    settings.keySet().removeIf(name -> name.endsWith("_FILE"));
    settings.put("VAULT_PLAIN_HTTP", "true");
    assertThatThrownBy(() -> Configuration.from(settings))
        .hasMessageContaining("VAULT_MASTER_KEYSET_FILE")
        .satisfies(
            refused ->
                assertThat(refused.getMessage().lines())
                    .filteredOn(line -> line.contains("VAULT_"))
                    .hasSize(1));
  }

  @Test
  void secretsAreReferencedButNeverInlined() {
    JsonNode container = container(HelmChart.render(allValues()));
    assertThat(container.path("env"))
        .noneMatch(each -> each.path("name").asText().endsWith("PASSWORD"))
        .allMatch(each -> each.path("value").isTextual());
    assertThat(object(HelmChart.render(allValues()), "Deployment").findValuesAsText("secretName"))
        .containsExactlyInAnyOrder("vault-keyset", "vault-database", "vault-tls");
  }

  @Test
  void containersRunUnprivilegedWithReadOnlyRootFileSystem() {
    JsonNode pod = object(HelmChart.render(allValues()), "Deployment").at("/spec/template/spec");
    assertThat(pod.at("/securityContext/runAsNonRoot").asBoolean()).isTrue();
    assertThat(pod.path("automountServiceAccountToken").asBoolean(true)).isFalse();
    for (String containers : List.of("initContainers", "containers")) {
      for (JsonNode container : pod.path(containers)) {
        JsonNode security = container.path("securityContext");
        assertThat(security.path("readOnlyRootFilesystem").asBoolean()).isTrue();
        assertThat(security.path("allowPrivilegeEscalation").asBoolean(true)).isFalse();
        assertThat(security.at("/capabilities/drop/0").asText()).isEqualTo("ALL");
        assertThat(security.at("/capabilities/add").isMissingNode()).isTrue();
      }
    }
  }

  @Test
  void probesUseTheSchemeOfTheListener() {
    assertThat(container(HelmChart.render(HelmChart.REQUIRED)).findValuesAsText("scheme"))
        .containsExactly("HTTP", "HTTP", "HTTP");
    assertThat(container(HelmChart.render(allValues())).findValuesAsText("scheme"))
        .containsExactly("HTTPS", "HTTPS", "HTTPS");
  }

  @Test
  void autoscalerReplacesTheNumberOfReplicas() {
    List<JsonNode> fixed = HelmChart.render(HelmChart.REQUIRED);
    assertThat(object(fixed, "Deployment").at("/spec/replicas").asInt()).isEqualTo(3);
    List<JsonNode> scaled = HelmChart.render(allValues());
    assertThat(object(scaled, "Deployment").at("/spec/replicas").isMissingNode()).isTrue();
    assertThat(
            object(scaled, "HorizontalPodAutoscaler").at("/spec/metrics").findValuesAsText("type"))
        .contains("Resource", "Pods");
  }

  @Test
  void networkPolicyWithoutPeersDeniesIngress() {
    List<JsonNode> closed =
        HelmChart.render(
            withRequired(Map.of("networkPolicy.clients", "null", "metrics.enabled", "false")));
    assertThat(object(closed, "NetworkPolicy").at("/spec/ingress")).isEmpty();
    assertThat(object(closed, "NetworkPolicy").at("/spec/policyTypes")).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource({
    "plainHttp, false, 'set tls.existingSecret, or plainHttp to true'",
    "tls.existingSecret, vault-tls, 'set tls.existingSecret or plainHttp, not both'",
    "transforms.isolation, required, 'set transforms.seccompProfile'",
    "transforms.isolation, off, 'transforms/isolation'",
    "database.url, '', 'database.url is required'",
    "database.url, postgres://db/vault, 'database/url'",
    "masterKeyset.existingSecret, '', 'masterKeyset.existingSecret is required'",
    "terminationGracePeriodSeconds, 5, 'must be greater than shutdownDelaySeconds'",
    "settings.VAULT_HOST.deep, x, 'settings'",
    "settings.VAULT_DATABASE_USER, x, 'the chart sets it'",
    "settings.VAULT_DATABASE_PASSWORD, x, 'VAULT_DATABASE_PASSWORD'",
    "no.such.value, x, 'no'"
  })
  void contradictoryOrUnknownValueIsRejected(String name, String value, String message) {
    assertThatThrownBy(() -> HelmChart.render(withRequired(Map.of(name, value))))
        .hasMessageContaining(message);
  }

  private static Map<String, String> allValues() {
    Map<String, String> values = withRequired(Map.of());
    values.put("plainHttp", "false");
    values.put("tls.existingSecret", "vault-tls");
    values.put("transforms.isolation", "required");
    values.put("transforms.seccompProfile", "profiles/token-vault.json");
    values.put("settings.VAULT_EGRESS_ALLOWED_HOSTS", "api.payments.example");
    values.put("autoscaling.enabled", "true");
    values.put("autoscaling.requestsPerSecond", "500");
    values.put("networkPolicy.scrapers[0].podSelector.matchLabels.app", "prometheus");
    values.put("networkPolicy.database.to[0].ipBlock.cidr", "10.0.0.5/32");
    values.put("serviceAccountName", "vault");
    values.put("imagePullSecrets[0].name", "registry");
    values.put("podAnnotations.note", "text");
    values.put("nodeSelector.zone", "a");
    values.put("tolerations[0].operator", "Exists");
    values.put(
        "affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution"
            + ".nodeSelectorTerms[0].matchFields[0].key",
        "metadata.name");
    values.put(
        "affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution"
            + ".nodeSelectorTerms[0].matchFields[0].operator",
        "Exists");
    values.put("extraVolumes[0].name", "authority");
    values.put("extraVolumes[0].configMap.name", "authority");
    values.put("extraVolumeMounts[0].name", "authority");
    values.put("extraVolumeMounts[0].mountPath", "/etc/token-vault/authority");
    values.put("service.annotations.note", "text");
    return values;
  }

  private static Map<String, String> withRequired(Map<String, String> more) {
    Map<String, String> values = new HashMap<>(HelmChart.REQUIRED);
    values.putAll(more);
    return values;
  }

  private static JsonNode container(List<JsonNode> objects) {
    return object(objects, "Deployment").at("/spec/template/spec/containers/0");
  }

  private static JsonNode object(List<JsonNode> objects, String kind) {
    return objects.stream()
        .filter(each -> each.path("kind").asText().equals(kind))
        .findFirst()
        .orElseThrow();
  }
}
