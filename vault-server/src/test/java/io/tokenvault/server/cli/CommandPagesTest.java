package io.tokenvault.server.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tokenvault.server.environment.ProgramRun;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the manual pages and the shell completion with {@code groff} and Bash. */
final class CommandPagesTest {

  @TempDir private Path share;

  @BeforeEach
  void write() throws IOException {
    CommandPages.write(share);
  }

  @Test
  void everyCommandHasAPageWithoutErrors() throws Exception {
    assumeTrue(
        ProgramRun.find("groff").isPresent(), "groff is missing: install it to check manual pages");
    File[] pages = share.resolve("man/man1").toFile().listFiles();
    assertThat(pages)
        .extracting(File::getName)
        .contains(
            "vault-server.1", "vault-server-serve.1", "vault-server-keys-rotate-master-add.1");
    for (File page : pages) {
      String checked = page.toString();
      assertThat(ProgramRun.of("groff", "-man", "-Tutf8", "-ww", "-z", checked).expectSuccess())
          .isEmpty();
    }
  }

  @Test
  void pageHasNameSynopsisOptionsAndExitStatus() throws IOException {
    String page = Files.readString(share.resolve("man/man1/vault-server-audit-verify.1"));
    assertThat(page)
        .contains(
            ".SH NAME\nvault\\-server\\-audit\\-verify \\- Verify the audit log.\n",
            ".SH SYNOPSIS\nvault\\-server audit verify [",
            ".SH OPTIONS\n.nf\n",
            "\\-\\-checkpoints=FILE",
            ".SH EXIT STATUS\n",
            "tampering detected");
  }

  @Test
  void completionOffersCommandsAndOptions() {
    assumeTrue(
        ProgramRun.find("bash").isPresent(), "bash is missing: install it to check completion");
    assertThat(completions("vault-server", "ser")).containsExactly("serve");
    assertThat(completions("vault-server", "tenant", "cr")).containsExactly("create");
    assertThat(completions("vault-server", "tenant", "create", "--na")).contains("--name");
  }

  private List<String> completions(String... words) {
    Path script = share.resolve("bash-completion/completions/vault-server");
    String line = String.join(" ", words);
    String ask =
        "source '%s'; COMP_WORDS=(%s); COMP_CWORD=%d; COMP_LINE='%s'; COMP_POINT=%d; _complete_vault-server; printf '%%s\\n' \"${COMPREPLY[@]}\""
            .formatted(script, line, words.length - 1, line, line.length());
    return ProgramRun.of("bash", "-c", ask).output().lines().map(String::strip).toList();
  }
}
