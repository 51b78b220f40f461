X=$PWD/probes-tmp/x86
export LIBRARY_PATH=$X/lib CPATH=$X/include
mkdir -p /tmp/bsrc && tar xJf probes-tmp/base.tar.xz -C /tmp/bsrc
cmake -S /tmp/bsrc -B /tmp/bb -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_MODULE_PATH=$X/cmake -DLZ4_LIBRARY=$X/lib/liblz4.so -DZSTD_LIBRARY=$X/lib/libzstd.so > /tmp/cfgb.log 2>&1 || tail -20 /tmp/cfgb.log
ninja -C /tmp/bb one > /tmp/bn.log 2>&1 || grep -E "error|FAILED" /tmp/bn.log | head
g++ -std=c++20 -O1 -DFMT_HEADER_ONLY -Isrc -I. -Itests $X/one.cpp tests/ledger/ledger.cpp tests/support/memory_image.cpp /tmp/b/libheddle.a -L$X/lib -llz4 -lzstd -lpthread -o /tmp/onenew 2>&1 | grep -E "error|undefined" | head
run() { for s in t s; do for i in $(seq 0 15); do $1 $s $([ $s = s ] && echo 400000 || echo 0) $i 16 > /tmp/$2.$s.$i & done; wait; done; cat /tmp/$2.[ts].* | LC_ALL=C sort > $OUT/$2.txt; }
time run /tmp/bb/one base
time run /tmp/onenew new
wc -l $OUT/*.txt; diff $OUT/base.txt $OUT/new.txt | head; cmp $OUT/base.txt $OUT/new.txt && echo SAME
