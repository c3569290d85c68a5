package habemus.service.transport;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicReference;
import org.jgroups.Address;
import org.jgroups.BytesMessage;
import org.jgroups.EmptyMessage;
import org.jgroups.Message;
import org.jgroups.protocols.EncryptHeader;
import org.jgroups.protocols.MERGE3;
import org.jgroups.stack.Protocol;
import org.jgroups.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Everything in a message is encrypted, and unencrypted messages are dropped. */
@Tag("slow")
class ClusterEncryptionTest {

    private static final short HEADER = 54; // any

    private final Address sender = UUID.randomUUID();
    private ClusterEncryption encryption;

    @BeforeEach
    void create() throws Exception {
        encryption = new ClusterEncryption("correct horse");
        encryption.init();
    }

    /** The message delivered to the protocol above; null if it was dropped. */
    private static @Nullable Message receive(ClusterEncryption by, Message encrypted) {
        var delivered = new AtomicReference<@Nullable Message>();
        by.setUpProtocol(new Protocol() {
            @Override
            public Object up(Message message) {
                delivered.set(message);
                return message;
            }
        });
        by.up(encrypted);
        return delivered.get();
    }

    @Test
    void headers_and_payload_are_encrypted() throws Exception {
        var message = new BytesMessage(null, "hello".getBytes(UTF_8))
                .setSrc(sender)
                .setFlag(Message.Flag.OOB)
                .putHeader(HEADER, new MERGE3.MergeHeader());
        var encrypted = encryption.encrypt(message);
        assertThat(encrypted.getHeaders())
                .as("only the encryption header")
                .hasSize(1)
                .containsKey(encryption.getId());
        assertThat(new String(encrypted.getArray(), UTF_8)).doesNotContain("hello");
        assertThat(encrypted.isFlagSet(Message.Flag.OOB)).isTrue();
        var decrypted = requireNonNull(receive(encryption, encrypted));
        assertThat(decrypted.<byte[]>getObject()).isEqualTo("hello".getBytes(UTF_8));
        assertThat(decrypted.<MERGE3.MergeHeader>getHeader(HEADER)).isNotNull();
    }

    @Test
    void a_header_only_message_is_encrypted() throws Exception {
        var encrypted =
                encryption.encrypt(new EmptyMessage(null).setSrc(sender).putHeader(HEADER, new MERGE3.MergeHeader()));
        assertThat(encrypted.getHeaders()).hasSize(1);
        assertThat(requireNonNull(receive(encryption, encrypted)).<MERGE3.MergeHeader>getHeader(HEADER))
                .isNotNull();
    }

    @Test
    void an_unencrypted_message_is_dropped() throws Exception {
        var known = new EncryptHeader((byte) 0, encryption.symVersion(), new byte[12]);
        assertThat(receive(encryption, new EmptyMessage(null).setSrc(sender).putHeader(encryption.getId(), known)))
                .isNull();
        var payload = new BytesMessage(null, "hello".getBytes(UTF_8)).setSrc(sender);
        assertThat(receive(encryption, payload.putHeader(encryption.getId(), known)))
                .isNull();
    }

    @Test
    void a_modified_message_or_sender_is_dropped() throws Exception {
        var message = new BytesMessage(null, "hello".getBytes(UTF_8)).setSrc(sender);
        var changed = encryption.encrypt(message);
        changed.getArray()[3] ^= 1;
        assertThat(receive(encryption, changed)).isNull();
        assertThat(receive(encryption, encryption.encrypt(message).setSrc(UUID.randomUUID())))
                .isNull();
    }

    @Test
    void a_message_with_another_secret_is_dropped() throws Exception {
        var other = new ClusterEncryption("battery staple");
        other.init();
        assertThat(receive(other, encryption.encrypt(new BytesMessage(null, new byte[5]).setSrc(sender))))
                .isNull();
    }
}
