package habemus.cli;

import com.google.gson.JsonObject;
import habemus.archive.Archive;
import habemus.wire.Malformed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import picocli.CommandLine.ParseResult;

/** {@code habemus backup}: a copy of all that the service knows. */
final class BackupCommand implements Command {

    private static final String EXAMPLE = "habemus backup tuesday.habemus";

    @Override
    public String name() {
        return "backup";
    }

    @Override
    public String summary() {
        return "Writes a copy of all that the service knows to a file, for habemus restore.";
    }

    @Override
    public Sheet sheet(List<String> args) {
        return Asked.sheet(this, "FILE [options]").words("FILE", false).example(EXAMPLE);
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        var file = Path.of(Order.word(parsed, 0, "file", EXAMPLE));
        var bytes = Door.of(parsed).download("/backup");
        long index = index(bytes);
        write(file, bytes);
        var answer = new JsonObject();
        answer.addProperty("file", file.toString());
        answer.addProperty("bytes", bytes.length);
        answer.addProperty("index", index);
        return Asked.show(
                parsed,
                answer,
                terminal,
                any -> file + ": " + bytes.length + " bytes, all up to command " + index
                        + "; with it clients can be impersonated, so keep it to yourself\n");
    }

    private static long index(byte[] bytes) {
        try {
            return Archive.table(bytes).index();
        } catch (Malformed garbage) {
            throw Refusal.cannot("what the node sent is no backup: " + garbage.getMessage(), "try again");
        }
    }

    /** Nobody else may read it. */
    private static void write(Path file, byte[] bytes) {
        try {
            if (Files.exists(file)) {
                throw Refusal.wrong(file + " is there already", "choose another name, or remove it");
            }
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.write(file, bytes);
        } catch (IOException refused) {
            throw Refusal.cannot("cannot write " + file + ": " + refused.getMessage(), "is there room for it?");
        }
    }
}
