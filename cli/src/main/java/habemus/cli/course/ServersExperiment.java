package habemus.cli.course;

import java.util.function.Consumer;

/** One question to the servers of {@code habemus servers}. */
interface ServersExperiment {

    String name();

    /** @param progress told what is measured next */
    ServersReport run(ServersOptions options, Consumer<String> progress);
}
