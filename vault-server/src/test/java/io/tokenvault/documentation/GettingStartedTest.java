package io.tokenvault.documentation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.environment.ProgramRun;
import io.tokenvault.server.process.fixture.DataDirectories;
import io.tokenvault.server.process.fixture.VaultProcess;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs the samples of docs/getting-started.md in a shell against a running demo. */
@Tag("long")
final class GettingStartedTest {

  private static final Pattern SAMPLE = Pattern.compile("(?ms)^```sh\n(.*?)^```");
  private static final Pattern EXPORT = Pattern.compile("(?m)^export [A-Z]+=.*$");
  private static final Pattern CONSOLE = Pattern.compile("The console is at (\\S+);");

  @Test
  void samplesWorkWithVariablesOfDemo() {
    assumeTrue(ProgramRun.find("curl").isPresent(), "curl is missing: apt-get install curl");
    try (VaultProcess demo = VaultProcess.demo(DataDirectories.fresh())) {
      String pasted = matches(EXPORT, demo.out()) + samples();
      String printed = ProgramRun.of("sh", "-c", pasted).output();

      assertThat(printed)
          .as("%s", demo)
          .contains("\"key\":\"key_", "\"data\":\"4242424242424242\"")
          .endsWith("{\"card\": \"4242424242424242\"}");
    }
  }

  @Test
  void demoPrintsTheAddressOfTheConsole() {
    try (VaultProcess demo = VaultProcess.demo(DataDirectories.fresh())) {
      List<String> addresses =
          CONSOLE.matcher(demo.out()).results().map(each -> each.group(1)).toList();

      assertThat(addresses).as("%s", demo).hasSize(1);
      assertThat(new Client(addresses.get(0), "none").get("").text()).contains("<title>");
    }
  }

  /** Returns the samples that follow the demo, up to those that start another server. */
  private static String samples() {
    String page = Pages.read(Pages.DOCS.resolve("getting-started.md"));
    return matches(
        SAMPLE,
        page.substring(page.indexOf("## Create an application"), page.indexOf("## Run a server")));
  }

  private static String matches(Pattern pattern, String text) {
    return pattern
        .matcher(text)
        .results()
        .map((MatchResult each) -> each.group(each.groupCount()) + "\n")
        .collect(Collectors.joining());
  }
}
