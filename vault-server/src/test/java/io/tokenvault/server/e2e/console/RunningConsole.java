package io.tokenvault.server.e2e.console;

import java.util.Optional;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A console for the tests of a class, from before the first to after the last of them. */
final class RunningConsole implements BeforeAllCallback, AfterAllCallback {

  private Optional<ConsoleFixture> fixture = Optional.empty();

  @Override
  public void beforeAll(ExtensionContext context) {
    fixture = Optional.of(new ConsoleFixture());
  }

  ConsoleFixture fixture() {
    return fixture.orElseThrow();
  }

  @Override
  public void afterAll(ExtensionContext context) {
    fixture.ifPresent(ConsoleFixture::close);
  }
}
