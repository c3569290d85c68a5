package habemus.service.raft;

import habemus.service.storage.CorruptFileException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.jgroups.Address;
import org.jgroups.util.Util;
import org.jspecify.annotations.Nullable;

/** Encodes the term and the vote of a node. */
final class HardState {

    private HardState() {}

    static byte[] write(long term, @Nullable Address vote) {
        var out = new ByteArrayOutputStream();
        try (var data = new DataOutputStream(out)) {
            data.writeLong(term);
            if (vote != null) {
                Util.writeAddress(vote, data);
            }
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return out.toByteArray();
    }

    /** Reads the vote, which follows the term; null if the node has not voted. */
    static @Nullable Address read(ByteBuffer bytes, Path file) throws IOException {
        var name = new byte[bytes.remaining()];
        bytes.get(name);
        try {
            return name.length == 0 ? null : Util.readAddress(new DataInputStream(new ByteArrayInputStream(name)));
        } catch (ClassNotFoundException unknown) {
            throw new CorruptFileException(file + " has a vote of another version: " + unknown.getMessage());
        }
    }
}
