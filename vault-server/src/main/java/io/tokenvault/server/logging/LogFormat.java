package io.tokenvault.server.logging;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.joran.spi.ConsoleTarget;
import org.slf4j.LoggerFactory;

/**
 * Selects the format of log lines. Neither format contains messages of exceptions, since they can
 * quote data.
 */
public final class LogFormat {

  /** The system property by which Logback finds its configuration. */
  private static final String CONFIGURATION = "logback.configurationFile";

  private static final String CONSOLE = "STDERR";

  private LogFormat() {}

  /**
   * Configures the log of the program, unless another configuration is named. Has no effect after
   * the first logger was created.
   */
  public static void configure() {
    if (System.getProperty(CONFIGURATION) == null) {
      System.setProperty(CONFIGURATION, "io/tokenvault/server/logging/logback.xml");
    }
  }

  /** Writes all later log lines as JSON objects to standard error. */
  public static void useJson() {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    ConsoleAppender<ILoggingEvent> console = new ConsoleAppender<>();
    console.setContext(context);
    console.setName(CONSOLE);
    console.setTarget(ConsoleTarget.SystemErr.getName());
    console.setEncoder(json(context));
    console.start();
    root.detachAndStopAllAppenders();
    root.addAppender(console);
  }

  /**
   * Returns an encoder of time (milliseconds since 1970), level, thread, logger, request context
   * and message.
   *
   * <p>Arguments and exceptions are omitted: both may contain data.
   */
  static JsonEncoder json(LoggerContext context) {
    JsonEncoder encoder = new JsonEncoder();
    encoder.setContext(context);
    encoder.setWithSequenceNumber(false);
    encoder.setWithNanoseconds(false);
    encoder.setWithContext(false);
    encoder.setWithMarkers(false);
    encoder.setWithKVPList(false);
    encoder.setWithMessage(false);
    encoder.setWithArguments(false);
    encoder.setWithThrowable(false);
    encoder.setWithFormattedMessage(true);
    encoder.start();
    return encoder;
  }
}
