package habemus.bench.peers;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** The measured products and their properties. A new product is a constant here and a module. */
enum ProductId {
    HABEMUS("Habemus", "HabemusProduct", Durability.MAJORITY, 3, Optional.empty()),
    RECORDING("Habemus with `--record`", "HabemusProduct", Durability.MAJORITY, 3, Optional.empty()),
    BESIDE("Habemus, other build", "HabemusProduct", Durability.MAJORITY, 3, Optional.empty()),
    ZOOKEEPER("ZooKeeper 3.9, Curator", "ZooKeeperProduct", Durability.MAJORITY, 3, Optional.empty()),
    ETCD("etcd 3.4, jetcd", "EtcdProduct", Durability.MAJORITY, 3, Optional.of("etcd")),
    ETCD_LOG("Habemus on etcd", "EtcdLogProduct", Durability.MAJORITY, 3, Optional.of("etcd")),
    HAZELCAST("Hazelcast 5.4 CP", "HazelcastProduct", Durability.MEMORY, 3, Optional.empty()),
    REDIS("Redis 7.0, Redisson", "RedisProduct", Durability.ONE_DISK, 1, Optional.of("redis-server")),
    POSTGRESQL("Habemus on PostgreSQL", "EmbeddedProduct", Durability.ONE_DISK, 1, Optional.empty()),
    SHEDLOCK("ShedLock on PostgreSQL, asks every 5 ms", "ShedLockProduct", Durability.ONE_DISK, 1, Optional.empty()),
    ADVISORY("`pg_advisory_lock`", "AdvisoryProduct", Durability.SERVER_MEMORY, 1, Optional.empty());

    /** Where a grant is stored when the client receives it. */
    enum Durability {
        MAJORITY("synced to the disks of a majority"),
        ONE_DISK("synced to one disk only"),
        MEMORY("in the memory of a majority, **not durable**"),
        SERVER_MEMORY("in the memory of one server, **not durable**");

        private final String description;

        Durability(String description) {
            this.description = description;
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

    /** @param program the program that must be on the PATH; its Debian package has the same name, or ends in -server */
    ProductId(String title, String main, Durability durability, int nodes, Optional<String> program) {
        this.title = title;
        this.main = main;
        this.durability = durability;
        this.nodes = nodes;
        this.program = program;
    }

    /** The products that are measured unless others are named: one build of each. */
    static List<ProductId> defaults() {
        return Arrays.stream(values())
                .filter(product ->
                        product == HABEMUS || !product.isHabemus() && !product.isInPostgres() && product != ETCD_LOG)
                .toList();
    }

    /** Whether it is a build of Habemus. */
    boolean isHabemus() {
        return this == HABEMUS || this == RECORDING || this == BESIDE;
    }

    /** Whether the locks are in a PostgreSQL server. */
    private boolean isInPostgres() {
        return this == POSTGRESQL || this == SHEDLOCK || this == ADVISORY;
    }

    /** The module with its driver. */
    String module() {
        if (isHabemus()) {
            return HABEMUS.toString();
        }
        if (isInPostgres()) {
            return POSTGRESQL.toString();
        }
        return this == ETCD_LOG ? ETCD.toString() : toString();
    }

    /** The name on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
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
        return "habemus.bench.product." + module() + "." + main;
    }

    /** Whether grants are on the disks of a majority. Only such products are compared by a ratio. */
    boolean isDurable() {
        return durability == Durability.MAJORITY;
    }

    /** The required program, if it is not on the PATH. */
    Optional<String> missingProgram() {
        var folders = Pattern.compile(":").splitAsStream(System.getenv().getOrDefault("PATH", ""));
        return program.filter(name -> folders.noneMatch(folder -> Files.isExecutable(Path.of(folder, name))));
    }
}
