package io.tokenvault.ports.crypto;

import io.tokenvault.domain.audit.integrity.LogTag;

/** Signs checkpoints of the log, so that who has no secret can confirm them. */
public interface CheckpointKeys {

  /** A signature under the key of the moment. */
  LogTag sign(byte[] content);

  /** Whether the signature is one for this content, under any key that is known. */
  boolean confirmsSignature(byte[] content, LogTag signature);
}
