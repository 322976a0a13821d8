package io.tokenvault.adapters.jdbi;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.read.ListAppender;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.stream.Collectors;
import org.slf4j.LoggerFactory;

/** Captures log events of all levels until it is closed. */
public final class LogCapture implements AutoCloseable {

  private final Logger root = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
  private final Level originalLevel = root.getLevel();
  private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

  public static LogCapture start() {
    LogCapture capture = new LogCapture();
    capture.appender.start();
    capture.root.setLevel(Level.TRACE);
    capture.root.addAppender(capture.appender);
    return capture;
  }

  public List<ILoggingEvent> events() {
    synchronized (appender) {
      return List.copyOf(appender.list);
    }
  }

  public String text() {
    return events().stream().map(LogCapture::text).collect(Collectors.joining("\n"));
  }

  private static String text(ILoggingEvent event) {
    return event.getFormattedMessage() + ThrowableProxyUtil.asString(event.getThrowableProxy());
  }

  /** Returns the stack trace with all causes and suppressed exceptions. */
  public static String stackTrace(Throwable failure) {
    StringWriter text = new StringWriter();
    failure.printStackTrace(new PrintWriter(text, true));
    return text.toString();
  }

  @Override
  public void close() {
    root.detachAppender(appender);
    root.setLevel(originalLevel);
  }
}
