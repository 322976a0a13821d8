package io.tokenvault.adapters.jdbi.sql;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.sql.SQLException;
import org.jdbi.v3.core.ConnectionException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

final class SqlFailuresTest {

  @ParameterizedTest
  @CsvSource({"53100, true", "58030, true", "25006, true", "57014, false", "22P02, false"})
  void stateThatNeedsOperatorIsLoggedWithoutText(String state, boolean logged) {
    Logger log = (Logger) LoggerFactory.getLogger(SqlFailures.class);
    ListAppender<ILoggingEvent> appender = new ListAppender<>();
    appender.start();
    log.addAppender(appender);
    try {
      SqlFailures.translate(new ConnectionException(new SQLException("a secret", state)));
    } finally {
      log.detachAppender(appender);
    }

    assertThat(appender.list.toString().contains("SQL state " + state)).isEqualTo(logged);
    assertThat(appender.list.toString()).doesNotContain("a secret");
  }
}
