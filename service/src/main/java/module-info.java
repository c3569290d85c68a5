/** The algorithms of core for real: across processes, on disk, at an HTTP door. */
@SuppressWarnings("requires-automatic") // JGroups is one, by its own stable name
module habemus.service {
    requires transitive habemus.core;
    requires org.jgroups;
    requires org.slf4j;
    requires static org.jspecify;

    exports habemus.service.disk;
    exports habemus.service.loop;
    exports habemus.service.net;
    exports habemus.service.node;
    exports habemus.service.record;
}
