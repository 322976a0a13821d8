package io.tokenvault.engine.transform.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the remedies that are reported for the settings of a system. */
final class IsolationObstaclesTest {

  private static final String FALLBACK_REMEDY = "CAP_SETUID and CAP_SETGID";

  @TempDir Path proc;

  private void writeSetting(String file, String content) throws IOException {
    Path path = proc.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, content);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "sys/kernel/unprivileged_userns_clone|0|sysctl kernel.unprivileged_userns_clone=1",
        "sys/user/max_user_namespaces|0|sysctl user.max_user_namespaces=",
        "sys/kernel/apparmor_restrict_unprivileged_userns|1"
            + "|sysctl kernel.apparmor_restrict_unprivileged_userns=0",
        "self/attr/current|docker-default (enforce)|(docker-default (enforce)) is in force",
        "self/status|Seccomp:\t2|a seccomp filter is in force"
      })
  void obstacleIsReportedWithItsRemedy(String file, String content, String remedy)
      throws IOException {
    writeSetting(file, content + "\n");

    assertThat(new IsolationObstacles(proc).find(true))
        .hasSize(2)
        .satisfies(
            found -> assertThat(found.get(0)).contains(remedy),
            found -> assertThat(found.get(1)).contains(FALLBACK_REMEDY));
  }

  @Test
  void harmlessSettingIsNotReported() throws IOException {
    writeSetting("sys/kernel/unprivileged_userns_clone", "1\n");
    writeSetting("sys/user/max_user_namespaces", "96365\n");
    writeSetting("sys/kernel/apparmor_restrict_unprivileged_userns", "0\n");
    writeSetting("self/attr/current", "unconfined\n");
    writeSetting("self/status", "Seccomp:\t0\n");

    assertThat(new IsolationObstacles(proc).find(true))
        .singleElement()
        .asString()
        .contains(FALLBACK_REMEDY);
  }

  @Test
  void missingToolsAreReported() {
    assertThat(new IsolationObstacles(proc).find(false)).first().asString().contains("util-linux");
  }
}
