package habemus.bench.peers;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** What is measured, and what must be known of it to compare. A new one is a line here and a module. */
enum ProductId {
    HABEMUS("Habemus", "HabemusPeer", Durability.MAJORITY, 3, Optional.empty()),
    ZOOKEEPER("ZooKeeper 3.9, Curator", "ZooKeeperPeer", Durability.MAJORITY, 3, Optional.empty()),
    ETCD("etcd 3.4, jetcd", "EtcdPeer", Durability.MAJORITY, 3, Optional.of("etcd")),
    HAZELCAST("Hazelcast 5.4 CP", "HazelcastPeer", Durability.MEMORY, 3, Optional.empty()),
    REDIS("Redis 7.0, Redisson", "RedisPeer", Durability.ONE_DISK, 1, Optional.of("redis-server"));

    /** Where a grant is when the client hears of it. */
    enum Durability {
        MAJORITY("synced on the disks of a majority"),
        ONE_DISK("synced on one disk, and nowhere else"),
        MEMORY("in the memory of a majority, **not durable**");

        private final String description;

        Durability(String words) {
            this.description = words;
        }

        String description() {
            return description;
        }
    }

    private final String title;
    private final String main;
    private final Durability durability;
    private final int nodes;
    private final Optional<String> program;

    /** @param program that must be on the PATH; its Debian package is named like it, or like it and -server */
    ProductId(String title, String main, Durability durability, int nodes, Optional<String> program) {
        this.title = title;
        this.main = main;
        this.durability = durability;
        this.nodes = nodes;
        this.program = program;
    }

    /** As on the command line, and as its module is named. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    String title() {
        return title;
    }

    Durability durability() {
        return durability;
    }

    int nodes() {
        return nodes;
    }

    String mainClass() {
        return "habemus.peers." + this + "." + main;
    }

    /** Whether a grant survives whatever a majority does: only such products are compared by a ratio. */
    boolean isDurable() {
        return durability == Durability.MAJORITY;
    }

    /** The program that it needs and that is not here. */
    Optional<String> missingProgram() {
        var folders = Pattern.compile(":").splitAsStream(System.getenv().getOrDefault("PATH", ""));
        return program.filter(name -> folders.noneMatch(folder -> Files.isExecutable(Path.of(folder, name))));
    }
}
