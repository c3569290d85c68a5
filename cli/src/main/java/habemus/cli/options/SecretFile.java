package habemus.cli.options;

import habemus.lab.command.CommandException;
import habemus.service.storage.FileFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;

/**
 * A file with a secret in its first line: a token or a password. A file that other users can read is refused. If
 * another user owns it, such as root, its group may read it.
 */
public final class SecretFile {

    private static final Set<PosixFilePermission> GROUP =
            EnumSet.of(PosixFilePermission.GROUP_READ, PosixFilePermission.GROUP_WRITE);
    private static final Set<PosixFilePermission> OTHERS =
            EnumSet.of(PosixFilePermission.OTHERS_READ, PosixFilePermission.OTHERS_WRITE);

    private SecretFile() {}

    /**
     * Reads the secret.
     *
     * @param option that names the file
     * @throws CommandException if the file is missing, empty, or readable by other users
     */
    public static String read(String file, String option) {
        var path = Path.of(file);
        try {
            requireOwnerOnly(path, option);
            try (var lines = Files.lines(path)) {
                return lines.findFirst()
                        .filter(line -> !line.isBlank())
                        .orElseThrow(() -> CommandException.usage(
                                option + " " + file + " has an empty first line",
                                "write the secret on the first line"));
            }
        } catch (IOException unreadable) {
            throw CommandException.failure(
                    "cannot read " + option + " " + file + ": " + FileFailure.reason(unreadable),
                    "name a file that this user can read");
        }
    }

    private static void requireOwnerOnly(Path file, String option) throws IOException {
        var view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
        if (view == null) {
            return; // a file system without these permissions
        }
        var attributes = view.readAttributes();
        var refused = EnumSet.copyOf(OTHERS);
        if (attributes.owner().getName().equals(System.getProperty("user.name"))) {
            refused.addAll(GROUP);
        }
        refused.retainAll(attributes.permissions());
        if (!refused.isEmpty()) {
            throw CommandException.usage(
                    "other users can read or change " + option + " " + file + " (permissions "
                            + PosixFilePermissions.toString(attributes.permissions()) + ")",
                    "chmod 600 " + file);
        }
    }
}
