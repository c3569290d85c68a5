/** The contract, and the lock service as pure state machines. Requires nothing. */
module habemus.core {
    requires static transitive org.jspecify;

    exports habemus.codec;
    exports habemus.concurrent;
    exports habemus.lockservice;
    exports habemus.lockservice.name;
    exports habemus.lockservice.protocol;
    exports habemus.lockservice.storage;
    exports habemus.lockservice.table;
    exports habemus.protocol;
}
