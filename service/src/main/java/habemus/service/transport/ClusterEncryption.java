package habemus.service.transport;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.Key;
import java.util.Objects;
import javax.crypto.Cipher;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;
import org.jgroups.BytesMessage;
import org.jgroups.Message;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.EncryptHeader;
import org.jgroups.protocols.SYM_ENCRYPT;
import org.jgroups.util.Util;
import org.jspecify.annotations.Nullable;

/**
 * A secret that all share: whoever has another one, or none, can neither read nor be heard, nor be found. JGroups
 * leaves a message's headers as they are, and a message with nothing but headers too; here all of it is inside, and
 * nobody without the secret can make sense of any of it, or change it.
 */
@SuppressWarnings("unchecked") // of what it extends
final class ClusterEncryption extends SYM_ENCRYPT {

    private static final short ID = 1_704;

    /** Also proves that nobody has changed anything; with AES, JGroups has no cipher that does. */
    private static final String CIPHER = "ChaCha20-Poly1305";

    private static final int NONCE = 12; // bytes
    private static final int KEY_BITS = 256;
    private static final int KEY_ROUNDS = 200_000;

    static {
        ClassConfigurator.addProtocol(ID, ClusterEncryption.class);
    }

    /** @throws GeneralSecurityException if this Java lacks a cipher */
    ClusterEncryption(String secret) throws GeneralSecurityException {
        var words = new PBEKeySpec(secret.toCharArray(), "habemus".getBytes(UTF_8), KEY_ROUNDS, KEY_BITS);
        var key = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256").generateSecret(words);
        setSecretKey(new SecretKeySpec(key.getEncoded(), "ChaCha20"));
        symAlgorithm(CIPHER);
        symIvLength(NONCE);
    }

    @Override
    protected Message encrypt(Message message) throws Exception {
        if (message.getSrc() == null) {
            message.setSrc(local_addr);
        }
        var whole = Util.messageToBuffer(message);
        var nonce = makeIv();
        var sealed = code(whole.getArray(), whole.getOffset(), whole.getLength(), nonce, false);
        return new BytesMessage(message.getDest(), sealed)
                .setSrc(message.getSrc())
                .setFlag(message.getFlags(false), false)
                .setFlag(message.getFlags(true), true)
                .putHeader(id, new EncryptHeader((byte) 0, symVersion(), nonce).needsDeserialization(true));
    }

    /** Nothing, if it says that it comes from somebody else than it says inside. */
    @Override
    protected @Nullable Message _decrypt(Cipher cipher, Key key, Message message, EncryptHeader header)
            throws Exception {
        if (!message.hasPayload() || !header.needsDeserialization()) {
            return null;
        }
        var opened = super._decrypt(cipher, key, message, header);
        return Objects.equals(opened.getSrc(), message.getSrc()) ? opened : null;
    }
}
