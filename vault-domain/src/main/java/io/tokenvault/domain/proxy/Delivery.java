package io.tokenvault.domain.proxy;

import java.util.Objects;

/**
 * Where the data of tokens is about to go.
 *
 * @param host in lower case
 * @param chosenByCaller whether the caller named the destination with the request, as opposed to a
 *     proxy that was set up before
 */
public record Delivery(String host, boolean chosenByCaller) {
  public Delivery {
    Objects.requireNonNull(host, "host");
  }
}
