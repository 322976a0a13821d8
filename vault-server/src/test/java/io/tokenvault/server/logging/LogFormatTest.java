package io.tokenvault.server.logging;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LogFormatTest {

  private final LoggerContext context = new LoggerContext();

  private String line(Throwable thrown) {
    context.setMDCAdapter(new LogbackMDCAdapter());
    LoggingEvent event =
        new LoggingEvent(
            getClass().getName(),
            context.getLogger("io.tokenvault.Some"),
            Level.WARN,
            "of {}\nand \"so on\"",
            thrown,
            new Object[] {"this"});
    event.setMDCPropertyMap(Map.of("trace_id", "trace-1"));
    return new String(LogFormat.json(context).encode(event), StandardCharsets.UTF_8);
  }

  /** Tests that there is no configuration that Logback would use in a host application. */
  @Test
  void libraryHasNoLogbackConfigurationAtItsRoot() {
    assertThat(Path.of("src", "main", "resources", "logback.xml")).doesNotExist();
    assertThat(getClass().getResource("/io/tokenvault/server/logging/logback.xml")).isNotNull();
  }

  @Test
  void eventIsObjectOnOneLineWithTraceId() throws IOException {
    String line = line(null);
    assertThat(line).endsWith("\n").containsOnlyOnce("\n");
    JsonNode event = new ObjectMapper().readTree(line);
    assertThat(event.path("level").asText()).isEqualTo("WARN");
    assertThat(event.path("loggerName").asText()).isEqualTo("io.tokenvault.Some");
    assertThat(event.path("formattedMessage").asText()).isEqualTo("of this\nand \"so on\"");
    assertThat(event.at("/mdc/trace_id").asText()).isEqualTo("trace-1");
    assertThat(event.path("timestamp").isNumber()).isTrue();
  }

  @Test
  void exceptionMessageIsNotLogged() {
    assertThat(line(new IllegalStateException("planted 4242"))).doesNotContain("planted", "4242");
  }
}
