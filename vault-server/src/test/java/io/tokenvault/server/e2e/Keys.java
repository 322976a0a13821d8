package io.tokenvault.server.e2e;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;

/** A person without a pointer. */
final class Keys {

  private static final int MOST_STEPS = 200;

  private final Page page;

  Keys(Page page) {
    this.page = page;
  }

  /** Goes on by Tab until this has the focus; fails if it never does. */
  Keys to(Locator wanted) {
    wanted.waitFor();
    for (int steps = 0; steps < MOST_STEPS; steps++) {
      if ((boolean) wanted.evaluate("element => element === document.activeElement")) {
        return this;
      }
      page.keyboard().press("Tab");
    }
    throw new AssertionError("Tab does not lead to " + wanted);
  }

  Keys type(String text) {
    page.keyboard().type(text);
    return this;
  }

  Keys press(String key) {
    page.keyboard().press(key);
    return this;
  }
}
