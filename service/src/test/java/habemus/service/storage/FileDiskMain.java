package habemus.service.storage;

import java.nio.file.Path;

/** Opens a data folder and closes it. If the folder is in use, it fails. */
public final class FileDiskMain {

    private FileDiskMain() {}

    public static void main(String[] args) {
        new FileDisk(Path.of(args[0])).close();
    }
}
