// Which neighbours a pixel of an interior block of pinwheel error diffusion (spiral path) may hand
// its error to. Made by legal_targets.py, which enumerates them from the rule alone.
#pragma once

namespace mezzo::test {

/// Owner: own, the pixel's block; inw, an inward block next to it.
inline constexpr char kLegalTargets[] = R"(N,block,order,y,x,class,n_legal,targets_dy:dx:owner
2,out,0,1,0,first,7,-1:-1:inw -1:0:own -1:1:own 0:-1:inw 0:1:own 1:0:inw 1:1:inw
2,out,1,1,1,turn,6,-1:-1:own -1:0:own -1:1:inw 0:1:inw 1:-1:inw 1:0:inw
2,out,2,0,1,turn+afterturn,5,-1:-1:inw -1:0:inw 0:-1:own 0:1:inw 1:1:inw
2,out,3,0,0,last,4,-1:0:inw -1:1:inw 0:-1:inw 1:-1:inw
2,in,0,0,0,first,3,0:1:own 1:0:own 1:1:own
2,in,1,0,1,turn,2,1:-1:own 1:0:own
2,in,2,1,1,turn+afterturn,1,0:-1:own
2,in,3,1,0,last,0,
4,out,0,2,1,first,8,-1:-1:own -1:0:own -1:1:own 0:-1:own 0:1:own 1:-1:own 1:0:own 1:1:own
4,out,1,2,2,turn,7,-1:-1:own -1:0:own -1:1:own 0:1:own 1:-1:own 1:0:own 1:1:own
4,out,2,1,2,turn+afterturn,6,-1:-1:own -1:0:own -1:1:own 0:-1:own 0:1:own 1:1:own
4,out,3,1,1,afterturn,5,-1:-1:own -1:0:own -1:1:own 0:-1:own 1:-1:own
4,out,4,1,0,turn,6,-1:-1:inw -1:0:own -1:1:own 0:-1:inw 1:-1:inw 1:0:own
4,out,5,2,0,afterturn,5,-1:-1:inw 0:-1:inw 1:-1:inw 1:0:own 1:1:own
4,out,6,3,0,turn,5,-1:-1:inw 0:-1:inw 0:1:own 1:0:inw 1:1:inw
4,out,7,3,1,afterturn,4,0:1:own 1:-1:inw 1:0:inw 1:1:inw
4,out,8,3,2,straight,5,-1:1:own 0:1:own 1:-1:inw 1:0:inw 1:1:inw
4,out,9,3,3,turn,5,-1:0:own -1:1:inw 0:1:inw 1:-1:inw 1:0:inw
4,out,10,2,3,afterturn,4,-1:0:own -1:1:inw 0:1:inw 1:1:inw
4,out,11,1,3,straight,5,-1:-1:own -1:0:own -1:1:inw 0:1:inw 1:1:inw
4,out,12,0,3,turn,5,-1:-1:inw -1:0:inw 0:-1:own 0:1:inw 1:1:inw
4,out,13,0,2,afterturn,4,-1:-1:inw -1:0:inw -1:1:inw 0:-1:own
4,out,14,0,1,straight,4,-1:-1:inw -1:0:inw -1:1:inw 0:-1:own
4,out,15,0,0,last,4,-1:0:inw -1:1:inw 0:-1:inw 1:-1:inw
4,in,0,0,0,first,3,0:1:own 1:0:own 1:1:own
4,in,1,0,1,straight,4,0:1:own 1:-1:own 1:0:own 1:1:own
4,in,2,0,2,straight,4,0:1:own 1:-1:own 1:0:own 1:1:own
4,in,3,0,3,turn,2,1:-1:own 1:0:own
4,in,4,1,3,afterturn,3,0:-1:own 1:-1:own 1:0:own
4,in,5,2,3,straight,4,-1:-1:own 0:-1:own 1:-1:own 1:0:own
4,in,6,3,3,turn,2,-1:-1:own 0:-1:own
4,in,7,3,2,afterturn,3,-1:-1:own -1:0:own 0:-1:own
4,in,8,3,1,straight,4,-1:-1:own -1:0:own -1:1:own 0:-1:own
4,in,9,3,0,turn,2,-1:0:own -1:1:own
4,in,10,2,0,afterturn,3,-1:0:own -1:1:own 0:1:own
4,in,11,1,0,turn,2,0:1:own 1:1:own
4,in,12,1,1,afterturn,3,0:1:own 1:0:own 1:1:own
4,in,13,1,2,turn,2,1:-1:own 1:0:own
4,in,14,2,2,turn+afterturn,1,0:-1:own
4,in,15,2,1,last,0,
8,out,0,4,3,first,8,-1:-1:own -1:0:own -1:1:own 0:-1:own 0:1:own 1:-1:own 1:0:own 1:1:own
8,out,1,4,4,turn,7,-1:-1:own -1:0:own -1:1:own 0:1:own 1:-1:own 1:0:own 1:1:own
8,out,2,3,4,turn+afterturn,6,-1:-1:own -1:0:own -1:1:own 0:-1:own 0:1:own 1:1:own
8,out,3,3,3,afterturn,5,-1:-1:own -1:0:own -1:1:own 0:-1:own 1:-1:own
8,out,4,3,2,turn,6,-1:-1:own -1:0:own -1:1:own 0:-1:own 1:-1:own 1:0:own
8,out,5,4,2,afterturn,5,-1:-1:own 0:-1:own 1:-1:own 1:0:own 1:1:own
8,out,6,5,2,turn,6,-1:-1:own 0:-1:own 0:1:own 1:-1:own 1:0:own 1:1:own
8,out,7,5,3,afterturn,4,0:1:own 1:-1:own 1:0:own 1:1:own
8,out,8,5,4,straight,5,-1:1:own 0:1:own 1:-1:own 1:0:own 1:1:own
8,out,9,5,5,turn,6,-1:0:own -1:1:own 0:1:own 1:-1:own 1:0:own 1:1:own
8,out,10,4,5,afterturn,4,-1:0:own -1:1:own 0:1:own 1:1:own
8,out,11,3,5,straight,5,-1:-1:own -1:0:own -1:1:own 0:1:own 1:1:own
8,out,12,2,5,turn,6,-1:-1:own -1:0:own -1:1:own 0:-1:own 0:1:own 1:1:own
8,out,13,2,4,afterturn,4,-1:-1:own -1:0:own -1:1:own 0:-1:own
8,out,14,2,3,straight,4,-1:-1:own -1:0:own -1:1:own 0:-1:own
8,out,15,2,2,straight,5,-1:-1:own -1:0:own -1:1:own 0:-1:own 1:-1:own
8,out,16,2,1,turn,6,-1:-1:own -1:0:own -1:1:own 0:-1:own 1:-1:own 1:0:own
8,out,17,3,1,afterturn,4,-1:-1:own 0:-1:own 1:-1:own 1:0:own
8,out,18,4,1,straight,4,-1:-1:own 0:-1:own 1:-1:own 1:0:own
8,out,19,5,1,straight,5,-1:-1:own 0:-1:own 1:-1:own 1:0:own 1:1:own
8,out,20,6,1,turn,6,-1:-1:own 0:-1:own 0:1:own 1:-1:own 1:0:own 1:1:own
8,out,21,6,2,afterturn,4,0:1:own 1:-1:own 1:0:own 1:1:own
8,out,22,6,3,straight,4,0:1:own 1:-1:own 1:0:own 1:1:own
8,out,23,6,4,straight,4,0:1:own 1:-1:own 1:0:own 1:1:own
8,out,24,6,5,straight,5,-1:1:own 0:1:own 1:-1:own 1:0:own 1:1:own
8,out,25,6,6,turn,6,-1:0:own -1:1:own 0:1:own 1:-1:own 1:0:own 1:1:own
8,out,26,5,6,afterturn,4,-1:0:own -1:1:own 0:1:own 1:1:own
8,out,27,4,6,straight,4,-1:0:own -1:1:own 0:1:own 1:1:own
8,out,28,3,6,straight,4,-1:0:own -1:1:own 0:1:own 1:1:own
8,out,29,2,6,straight,5,-1:-1:own -1:0:own -1:1:own 0:1:own 1:1:own
8,out,30,1,6,turn,6,-1:-1:own -1:0:own -1:1:own 0:-1:own 0:1:own 1:1:own
8,out,31,1,5,afterturn,4,-1:-1:own -1:0:own -1:1:own 0:-1:own
8,out,32,1,4,straight,4,-1:-1:own -1:0:own -1:1:own 0:-1:own
8,out,33,1,3,straight,4,-1:-1:own -1:0:own -1:1:own 0:-1:own
8,out,34,1,2,straight,4,-1:-1:own -1:0:own -1:1:own 0:-1:own
8,out,35,1,1,straight,5,-1:-1:own -1:0:own -1:1:own 0:-1:own 1:-1:own
8,out,36,1,0,turn,6,-1:-1:inw -1:0:own -1:1:own 0:-1:inw 1:-1:inw 1:0:own
8,out,37,2,0,afterturn,4,-1:-1:inw 0:-1:inw 1:-1:inw 1:0:own
8,out,38,3,0,straight,4,-1:-1:inw 0:-1:inw 1:-1:inw 1:0:own
8,out,39,4,0,straight,4,-1:-1:inw 0:-1:inw 1:-1:inw 1:0:own
8,out,40,5,0,straight,4,-1:-1:inw 0:-1:inw 1:-1:inw 1:0:own
8,out,41,6,0,straight,5,-1:-1:inw 0:-1:inw 1:-1:inw 1:0:own 1:1:own
8,out,42,7,0,turn,5,-1:-1:inw 0:-1:inw 0:1:own 1:0:inw 1:1:inw
8,out,43,7,1,afterturn,4,0:1:own 1:-1:inw 1:0:inw 1:1:inw
8,out,44,7,2,straight,4,0:1:own 1:-1:inw 1:0:inw 1:1:inw
8,out,45,7,3,straight,4,0:1:own 1:-1:inw 1:0:inw 1:1:inw
8,out,46,7,4,straight,4,0:1:own 1:-1:inw 1:0:inw 1:1:inw
8,out,47,7,5,straight,4,0:1:own 1:-1:inw 1:0:inw 1:1:inw
8,out,48,7,6,straight,5,-1:1:own 0:1:own 1:-1:inw 1:0:inw 1:1:inw
8,out,49,7,7,turn,5,-1:0:own -1:1:inw 0:1:inw 1:-1:inw 1:0:inw
8,out,50,6,7,afterturn,4,-1:0:own -1:1:inw 0:1:inw 1:1:inw
8,out,51,5,7,straight,4,-1:0:own -1:1:inw 0:1:inw 1:1:inw
8,out,52,4,7,straight,4,-1:0:own -1:1:inw 0:1:inw 1:1:inw
8,out,53,3,7,straight,4,-1:0:own -1:1:inw 0:1:inw 1:1:inw
8,out,54,2,7,straight,4,-1:0:own -1:1:inw 0:1:inw 1:1:inw
8,out,55,1,7,straight,5,-1:-1:own -1:0:own -1:1:inw 0:1:inw 1:1:inw
8,out,56,0,7,turn,5,-1:-1:inw -1:0:inw 0:-1:own 0:1:inw 1:1:inw
8,out,57,0,6,afterturn,4,-1:-1:inw -1:0:inw -1:1:inw 0:-1:own
8,out,58,0,5,straight,4,-1:-1:inw -1:0:inw -1:1:inw 0:-1:own
8,out,59,0,4,straight,4,-1:-1:inw -1:0:inw -1:1:inw 0:-1:own
8,out,60,0,3,straight,4,-1:-1:inw -1:0:inw -1:1:inw 0:-1:own
8,out,61,0,2,straight,4,-1:-1:inw -1:0:inw -1:1:inw 0:-1:own
8,out,62,0,1,straight,4,-1:-1:inw -1:0:inw -1:1:inw 0:-1:own
8,out,63,0,0,last,4,-1:0:inw -1:1:inw 0:-1:inw 1:-1:inw
8,in,0,0,0,first,3,0:1:own 1:0:own 1:1:own
8,in,1,0,1,straight,4,0:1:own 1:-1:own 1:0:own 1:1:own
8,in,2,0,2,straight,4,0:1:own 1:-1:own 1:0:own 1:1:own
8,in,3,0,3,straight,4,0:1:own 1:-1:own 1:0:own 1:1:own
8,in,4,0,4,straight,4,0:1:own 1:-1:own 1:0:own 1:1:own
8,in,5,0,5,straight,4,0:1:own 1:-1:own 1:0:own 1:1:own
8,in,6,0,6,straight,4,0:1:own 1:-1:own 1:0:own 1:1:own
8,in,7,0,7,turn,2,1:-1:own 1:0:own
8,in,8,1,7,afterturn,3,0:-1:own 1:-1:own 1:0:own
8,in,9,2,7,straight,4,-1:-1:own 0:-1:own 1:-1:own 1:0:own
8,in,10,3,7,straight,4,-1:-1:own 0:-1:own 1:-1:own 1:0:own
8,in,11,4,7,straight,4,-1:-1:own 0:-1:own 1:-1:own 1:0:own
8,in,12,5,7,straight,4,-1:-1:own 0:-1:own 1:-1:own 1:0:own
8,in,13,6,7,straight,4,-1:-1:own 0:-1:own 1:-1:own 1:0:own
8,in,14,7,7,turn,2,-1:-1:own 0:-1:own
8,in,15,7,6,afterturn,3,-1:-1:own -1:0:own 0:-1:own
8,in,16,7,5,straight,4,-1:-1:own -1:0:own -1:1:own 0:-1:own
8,in,17,7,4,straight,4,-1:-1:own -1:0:own -1:1:own 0:-1:own
8,in,18,7,3,straight,4,-1:-1:own -1:0:own -1:1:own 0:-1:own
8,in,19,7,2,straight,4,-1:-1:own -1:0:own -1:1:own 0:-1:own
8,in,20,7,1,straight,4,-1:-1:own -1:0:own -1:1:own 0:-1:own
8,in,21,7,0,turn,2,-1:0:own -1:1:own
8,in,22,6,0,afterturn,3,-1:0:own -1:1:own 0:1:own
8,in,23,5,0,straight,4,-1:0:own -1:1:own 0:1:own 1:1:own
8,in,24,4,0,straight,4,-1:0:own -1:1:own 0:1:own 1:1:own
8,in,25,3,0,straight,4,-1:0:own -1:1:own 0:1:own 1:1:own
8,in,26,2,0,straight,4,-1:0:own -1:1:own 0:1:own 1:1:own
8,in,27,1,0,turn,2,0:1:own 1:1:own
8,in,28,1,1,afterturn,3,0:1:own 1:0:own 1:1:own
8,in,29,1,2,straight,4,0:1:own 1:-1:own 1:0:own 1:1:own
8,in,30,1,3,straight,4,0:1:own 1:-1:own 1:0:own 1:1:own
8,in,31,1,4,straight,4,0:1:own 1:-1:own 1:0:own 1:1:own
8,in,32,1,5,straight,4,0:1:own 1:-1:own 1:0:own 1:1:own
8,in,33,1,6,turn,2,1:-1:own 1:0:own
8,in,34,2,6,afterturn,3,0:-1:own 1:-1:own 1:0:own
8,in,35,3,6,straight,4,-1:-1:own 0:-1:own 1:-1:own 1:0:own
8,in,36,4,6,straight,4,-1:-1:own 0:-1:own 1:-1:own 1:0:own
8,in,37,5,6,straight,4,-1:-1:own 0:-1:own 1:-1:own 1:0:own
8,in,38,6,6,turn,2,-1:-1:own 0:-1:own
8,in,39,6,5,afterturn,3,-1:-1:own -1:0:own 0:-1:own
8,in,40,6,4,straight,4,-1:-1:own -1:0:own -1:1:own 0:-1:own
8,in,41,6,3,straight,4,-1:-1:own -1:0:own -1:1:own 0:-1:own
8,in,42,6,2,straight,4,-1:-1:own -1:0:own -1:1:own 0:-1:own
8,in,43,6,1,turn,2,-1:0:own -1:1:own
8,in,44,5,1,afterturn,3,-1:0:own -1:1:own 0:1:own
8,in,45,4,1,straight,4,-1:0:own -1:1:own 0:1:own 1:1:own
8,in,46,3,1,straight,4,-1:0:own -1:1:own 0:1:own 1:1:own
8,in,47,2,1,turn,2,0:1:own 1:1:own
8,in,48,2,2,afterturn,3,0:1:own 1:0:own 1:1:own
8,in,49,2,3,straight,4,0:1:own 1:-1:own 1:0:own 1:1:own
8,in,50,2,4,straight,4,0:1:own 1:-1:own 1:0:own 1:1:own
8,in,51,2,5,turn,2,1:-1:own 1:0:own
8,in,52,3,5,afterturn,3,0:-1:own 1:-1:own 1:0:own
8,in,53,4,5,straight,4,-1:-1:own 0:-1:own 1:-1:own 1:0:own
8,in,54,5,5,turn,2,-1:-1:own 0:-1:own
8,in,55,5,4,afterturn,3,-1:-1:own -1:0:own 0:-1:own
8,in,56,5,3,straight,4,-1:-1:own -1:0:own -1:1:own 0:-1:own
8,in,57,5,2,turn,2,-1:0:own -1:1:own
8,in,58,4,2,afterturn,3,-1:0:own -1:1:own 0:1:own
8,in,59,3,2,turn,2,0:1:own 1:1:own
8,in,60,3,3,afterturn,3,0:1:own 1:0:own 1:1:own
8,in,61,3,4,turn,2,1:-1:own 1:0:own
8,in,62,4,4,turn+afterturn,1,0:-1:own
8,in,63,4,3,last,0,
)";

}  // namespace mezzo::test
